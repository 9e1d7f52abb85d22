/*
 * The page of `lvl diff --html` and `lvl merge --html`: shows the JSON document in it. All text of levels becomes text nodes.
 *
 * A diff: {kind, names, files: [{file, kind, format, changes: lines of `lvl diff --json`, pictures, places, errors}]}.
 * A merge: {kind, names, merge: what `lvl merge --json` prints, whole, places, chosen, command}.
 */
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const isMerge = data.kind === "merge";
const words = isMerge ? ["ours", "theirs"] : ["before", "after"];
const MOST_LETTERS = 400; /* of a value */

/* ---- elements and texts ------------------------------------------------------------------------------ */

/* Control and direction characters can hide or fake text: they are shown by their numbers. */
function visible(text) {
    return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
        (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/* make("p", {class: "dim"}, "text", element, …) */
function make(name, attributes, ...content) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value !== undefined && value !== false)
            element.setAttribute(key, value === true ? "" : value);
    }
    for (const part of content.flat()) {
        if (part !== undefined && part !== null)
            element.append(part instanceof Node ? part : visible(part));
    }
    return element;
}

function plural(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/* A value on one line. */
function short(value) {
    if (value === null || value === undefined)
        return "(none)";
    const text = typeof value === "object" && !Array.isArray(value)
        ? Object.entries(value).map(([key, v]) => `${key} ${JSON.stringify(v)}`).join(", ")
        : JSON.stringify(value);
    return text.length > MOST_LETTERS ? text.slice(0, MOST_LETTERS) + "…" : text;
}

/* ---- changes of a file: the lines of `lvl diff --json` ------------------------------------------------ */

function line(kind, text) {
    return make("span", {class: kind}, text);
}

function showHunk(hunk) {
    return [line("dim", `    @@ -${hunk.old_line} +${hunk.new_line} @@`),
        hunk.old.map((text) => line("del", "    -" + text)), hunk.new.map((text) => line("add", "    +" + text))].flat();
}

function showChange(c) {
    const item = c.item ? ` (${c.item})` : "";
    const at = `${c.path || "file"}${item}`;
    switch (c.change) {
    case "set":
        return line("mod", c.long ? `${at}: changed` : `${at}: ${short(c.old)} → ${short(c.new)}`);
    case "lines":
        return [line("mod", `${at}: lines changed`), ...(c.hunks || []).flatMap(showHunk)];
    case "cells":
        return line("mod", `${at}: ${plural(c.cells, "cell")} changed` +
            (c.x === undefined ? "" : `, at ${c.x},${c.y}: ${c.width} × ${c.height}`));
    case "size":
        return line("mod", `${at}: ${c.old.width} × ${c.old.height} → ${c.new.width} × ${c.new.height}`);
    case "insert":
        return line("add", `+ ${at}${c.long ? "" : ": " + short(c.new)}`);
    case "remove":
        return line("del", `- ${at}${c.long ? "" : ": " + short(c.old)}`);
    case "move":
        return line("mod", `${c.from}${item}: moved to ${c.path}`);
    case "rename":
        return line("mod", `renamed, was ${c.old}`);
    case "format":
        return line("mod", `another format: ${c.old} → ${c.new}`);
    default: {
        const {change, path, item: unused, ...rest} = c;
        return line("mod", `${at}: ${change} ${short(rest)}`);
    }
    }
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

function picture(p, kind, alt) {
    return make("img", {class: kind, alt, width: p.width, height: p.height, src: "data:image/png;base64," + p.png});
}

function radio(name, value, label, checked, kind) {
    const id = `${name}-${value}`;
    return [make("input", {type: "radio", name, id, value, class: kind, checked}), make("label", {for: id}, label)];
}

function addSlider(view, stage, range) {
    const set = (value) => {
        range.value = value;
        stage.style.setProperty("--at", range.value + "%");
    };
    const drag = (event) => {
        const box = stage.getBoundingClientRect();
        if (event.buttons & 1 && view.querySelector(".as-slider").checked && box.width)
            set((100 * (event.clientX - box.left)) / box.width);
    };
    set(range.value);
    range.addEventListener("input", () => set(range.value));
    stage.addEventListener("pointerdown", drag);
    stage.addEventListener("pointermove", drag);
    stage.addEventListener("dragstart", (event) => event.preventDefault());
}

/* Both pictures in one place: a slider between them, side by side, or with the changes marked. */
function showPictures(p, name) {
    const stage = make("div", {class: "stage"}, picture(p.before, "before", words[0]), picture(p.after, "after", words[1]),
        picture(p.marked, "marked", "changes marked"));
    const range = make("input", {type: "range", min: 0, max: 100, value: 50, step: 1, "aria-label": "Where the first picture ends"});
    const view = make("div", {class: "view", role: "group", "aria-label": `${words[0]} and ${words[1]}`},
        radio(name, "slider", "Slider", true, "as-slider"), radio(name, "pair", "Side by side", false, "as-pair"),
        radio(name, "marked", "Changes marked", false, "as-marked"), stage,
        make("div", {class: "slide"}, words[0], range, words[1]));
    addSlider(view, stage, range);
    return view;
}

function showPlace(place) {
    const [left, top, right, bottom] = place.area;
    return make("li", {}, make("figure", {},
        make("div", {class: "two"}, picture(place.before, "was", words[0]), picture(place.after, "is", words[1])),
        make("figcaption", {}, `${words[0]}, ${words[1]}: ${left},${top} to ${right},${bottom} px` +
            (place.scale > 1 ? `, enlarged ${place.scale} times` : ""))));
}

function showPlaces(seen) {
    return seen.places && [make("h3", {}, seen.more_places ? "Changed places: the first ones" : "Changed places"),
        make("ul", {class: "places"}, seen.places.map(showPlace))];
}

/* What can be seen of a file or a conflict. */
function showSeen(seen, name) {
    return [
        seen.unseen && make("p", {class: "dim"}, "Nothing of it can be seen in a picture."),
        seen.others && make("p", {class: "dim"}, `${plural(seen.others, "cell")} of other layers changed, which are not marked.`),
        seen.pictures && showPictures(seen.pictures, name),
        ...(showPlaces(seen) || []),
        seen.picture && make("div", {class: "stage alone"}, picture(seen.picture, "before", "Picture of the file")),
    ].filter(Boolean);
}

/* ---- a diff ------------------------------------------------------------------------------------------ */

function badge(kind) {
    return make("span", {class: `badge ${kind}`}, kind);
}

function showFile(f, index) {
    const changes = (f.changes || []).flatMap(showChange);
    if (f.more)
        changes.push(line("dim", `${plural(f.more, "more change")}; lvl diff prints them`));
    const errors = f.errors || [];
    return make("article", {id: `f${index}`},
        make("header", {}, make("h2", {}, f.file), badge(f.kind), f.format && make("span", {class: "dim"}, f.format)),
        showSeen(f, `v${index}`),
        changes.length ? make("details", {open: true}, make("summary", {}, "List of changes"), make("pre", {tabindex: 0}, changes)) : null,
        errors.length ? make("pre", {tabindex: 0, class: "errors"}, errors.map((text) => line("del", text))) : null);
}

function showDiff(main) {
    if (data.files.length) {
        main.append(make("nav", {"aria-label": "Files"}, make("ol", {}, data.files.map((f, i) =>
            make("li", {}, make("a", {href: `#f${i}`}, f.file), badge(f.kind))))));
    }
    main.append(...data.files.map(showFile));
    return `${plural(data.compared, "file")} compared: ${data.changed} changed, ${data.added} added, ${data.removed} removed`;
}

/* ---- a merge ----------------------------------------------------------------------------------------- */

/* The conflicts that `lvl merge --json` prints: a list of its own, or the findings of that kind. */
function conflictsOf(merge) {
    const listed = merge.items || (Array.isArray(merge.conflicts) ? merge.conflicts : null);
    const found = listed || (merge.findings || []).filter((f) => f.id === "lvl.merge.conflict");
    const count = typeof merge.conflicts === "number" ? merge.conflicts : found.length;
    return Array.from({length: count}, (_, i) => found[i] || {text: "lvl merge --choose shows it"});
}

/* The values of the three sides, if the conflict has them. */
function showValues(c) {
    const sides = ["base", "ours", "theirs"].filter((side) => c[side] !== undefined);
    const shown = (value) => value === null ? "(absent)" : typeof value === "string" ? value : short(value);
    return sides.length ? make("dl", {class: "values"},
        sides.flatMap((side) => [make("dt", {}, side), make("dd", {}, shown(c[side]))])) : null;
}

function showConflict(c, index) {
    const number = index + 1, chosen = data.chosen[index] || 1;
    const where = [c.path, c.item].filter(Boolean).join(": ");
    return make("article", {id: `f${number}`},
        make("header", {}, make("h2", {}, `Conflict ${number}`), badge("conflict")),
        make("p", {}, [where, c.text].filter(Boolean).join(": ")), showValues(c),
        make("p", {class: "choice", role: "radiogroup", "aria-label": `Side for conflict ${number}`},
            ["ours", "theirs", "base"].flatMap((side, i) => radio(`c${number}`, i + 1, side, chosen === i + 1))),
        data.seen[index] && showSeen(data.seen[index], `v${number}`));
}

function showCommand() {
    const choices = make("b", {id: "choices"});
    const command = make("pre", {id: "command", tabindex: 0}, data.command[0], choices, data.command[1]);
    const copy = make("button", {id: "copy"}, "Copy");
    copy.addEventListener("click", () => {
        getSelection().selectAllChildren(command);
        document.execCommand("copy");
    });
    return make("article", {id: "end"}, make("header", {}, make("h2", {}, "To finish")),
        make("p", {}, "Run this where the page was made:"), command,
        make("p", {}, copy, make("span", {class: "dim"}, " A digit for each conflict: 1 ours, 2 theirs, 3 base.")));
}

function showMerge(main) {
    const conflicts = conflictsOf(data.merge);
    if (data.whole) {
        main.append(make("article", {id: "f0"}, make("header", {}, make("h2", {}, "All conflicts"), badge("conflict")),
            showSeen({...data.whole, picture: undefined}, "v0"),
            data.whole.picture ? make("details", {}, make("summary", {}, "Base: what both began with"),
                showSeen({picture: data.whole.picture}, "b0")) : null));
    }
    main.append(...conflicts.map(showConflict), showCommand());
    const update = () => {
        document.getElementById("choices").textContent =
            Array.from(document.querySelectorAll(".choice input:checked"), (input) => input.value).join("");
    };
    for (const input of document.querySelectorAll(".choice input"))
        input.addEventListener("change", update);
    update();
    return plural(conflicts.length, "conflict");
}

/* ---- the page ---------------------------------------------------------------------------------------- */

const counts = (isMerge ? showMerge : showDiff)(document.getElementById("main"));
document.title = visible(`${data.names[0]} → ${data.names[1]}`);
document.getElementById("head").append(make("h1", {}, isMerge ? "Conflicts" : "Changes"),
    make("p", {class: "sides"}, make("code", {}, data.names[0]), " → ", make("code", {}, data.names[1])),
    make("p", {class: "dim"}, counts));
document.getElementById("foot").append(`Made by lvl ${visible(data.lvl)} (lvl ${isMerge ? "merge" : "diff"} --html)`);
