/*
 * lvl.js: opens and saves levels of Graal, Sketchy Maze and the WAP32 games (Claw, Gruntz) in Tiled, by way of the
 * command lvl. `lvl tiled --install' puts it where Tiled finds it and fills in the two paths below.
 *
 * Opening a level runs `lvl convert LEVEL -o MAP.tmx' and reads that map; saving writes a map and runs `lvl convert
 * MAP.tmx -o LEVEL'. The level itself travels in the map's properties, so a save changes only what was edited.
 */
(function () {
    var LVL = "@LVL@";     // the command
    var CACHE = "@CACHE@"; // pictures of tiles, named by their content; maps saved as TMX refer to them

    var FORMATS = [
        // The names must not contain each other's endings, or Tiled takes one for another.
        { id: "wwd", name: "WAP32 map" },
        { id: "graal", name: "Graal map" },
        { id: "zelda", name: "Zelda Online map" },
        { id: "nw", name: "GLEVNW01 text map" },
        { id: "level", name: "Sketchy Maze drawing" },
        { id: "doodad", name: "Sketchy Maze actor" }
    ];

    var known = {}; // bytes of each level as they were opened or saved last
    var shown = {}; // what the last save of each level warned of
    var count = 0;

    function scratch() {
        File.makePath(CACHE);
        count += 1;
        return CACHE + "/map-" + Date.now() + "-" + count + ".tmx";
    }

    function remove(path) {
        if (File.exists(path))
            File.remove(path);
    }

    // How lvl is run: by its path; in a Flatpak of Tiled, where the system's folders have another place, or outside of it.
    var ways = [[LVL], ["/run/host" + LVL], ["flatpak-spawn", "--host", LVL]];
    var way = 0;

    // Runs lvl; throws what it says where it fails, and returns what it warns of.
    function run(args) {
        var code, said;
        for (var i = way; i < ways.length; i++) {
            var process = new Process();
            code = process.exec(ways[i][0], ways[i].slice(1).concat(args), false);
            said = process.readStdErr().trim();
            if (code !== -1 || said) {
                way = i;
                break;
            }
        }
        if (code === 0) {
            if (said)
                tiled.warn("lvl: " + said);
            return said;
        }
        if (!said)
            said = "cannot run " + LVL + "; run `lvl tiled --install' again";
        throw new Error(said);
    }

    function bytesOf(path) {
        if (!File.exists(path))
            return null;
        var file = new BinaryFile(path, BinaryFile.ReadOnly);
        var bytes = file.readAll();
        file.close();
        return bytes;
    }

    function same(a, b) {
        if (a.byteLength !== b.byteLength)
            return false;
        var words = a.byteLength >> 2;
        var x = new Uint32Array(a, 0, words), y = new Uint32Array(b, 0, words);
        for (var i = 0; i < words; i++) {
            if (x[i] !== y[i])
                return false;
        }
        var p = new Uint8Array(a, words * 4), q = new Uint8Array(b, words * 4);
        for (i = 0; i < p.length; i++) {
            if (p[i] !== q[i])
                return false;
        }
        return true;
    }

    // Property types name the values of properties. They belong to the project that `lvl tiled --project' writes:
    // without it, Tiled reports each of them as an error.
    function types() {
        try {
            tiled.propertyValue("wwd plane flags", "main");
            return ["--property-types"];
        } catch (error) {
            return [];
        }
    }

    function read(fileName) {
        var map = scratch();
        try {
            var said = run(["convert", "-y", fileName, "-o", map, "--pictures", CACHE + "/pictures"].concat(types()));
            var result = tiled.mapFormat("tmx").read(map);
            known[fileName] = bytesOf(fileName);
            // a damaged level does not look damaged in Tiled
            if (/ (error|fatal): /.test(said)) {
                tiled.error(said);
                if (tiled.activeAsset)
                    tiled.alert(said, "Damaged: " + fileName);
            }
            return result;
        } finally {
            remove(map);
        }
    }

    // A message without the name of a file that nobody knows.
    function plain(text, scratchMap) {
        return text.split(scratchMap + ": ").join("");
    }

    // Shows what a save that succeeded warns of, once; without a window (--export-map) it is only logged.
    function show(fileName, said) {
        if (said && said !== shown[fileName] && tiled.activeAsset)
            tiled.alert(said, "Saved " + fileName);
        shown[fileName] = said;
    }

    // Returns what went wrong, which Tiled then shows; undefined: all is well.
    function write(map, fileName) {
        var scratchMap = scratch();
        try {
            var before = bytesOf(fileName);
            if (before && known[fileName] && !same(before, known[fileName]))
                return fileName + " was changed by another program since it was opened; use Save As, or open it again";
            var failed = tiled.mapFormat("tmx").write(map, scratchMap);
            if (failed)
                return failed;
            var said = run(["convert", "-y", scratchMap, "-o", fileName]);
            known[fileName] = bytesOf(fileName);
            show(fileName, plain(said, scratchMap));
        } catch (error) {
            return plain(error.message, scratchMap).replace(/^\w+: (\w+\.)+\w+: /gm, "");
        } finally {
            remove(scratchMap);
        }
    }

    FORMATS.forEach(function (format) {
        tiled.registerMapFormat("lvl-" + format.id, {
            name: format.name,
            extension: format.id,
            read: read,
            write: write
        });
    });
})();
