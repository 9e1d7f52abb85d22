// Moves the soldiers of a level: Example.exe LEVEL.wwd NEW.wwd
using System;
using Lvl;

internal static class Example
{
    private static int Main(string[] arguments)
    {
        using (var doc = Document.Load(arguments[0]))
        {
            ref var level = ref Wwd.Of(doc);
            int moved = 0;
            for (int p = 0; p < level.PlanesCount; p++)
            {
                ref var plane = ref WwdPlane.At(level.Planes, level.PlanesCount, p);
                if (((WwdPlaneFlags)plane.Flags & WwdPlaneFlags.Main) != 0)
                    Console.WriteLine("main plane: " + doc.Get("planes[" + p + "].name").Trim());
#if NETCOREAPP || NETSTANDARD2_1_OR_GREATER
                var objects = WwdObject.Items(plane.Objects, plane.ObjectsCount); // a Span
#endif
                for (int i = 0; i < plane.ObjectsCount; i++)
                {
#if NETCOREAPP || NETSTANDARD2_1_OR_GREATER
                    ref var o = ref objects[i];
#else
                    ref var o = ref WwdObject.At(plane.Objects, plane.ObjectsCount, i);
#endif
                    if (Document.TextOf(o.Logic) != "Soldier")
                        continue;
                    o.X += plane.TileWidth;
                    moved++;
                }
            }
            doc.Save(arguments[1]);
            Console.WriteLine(moved + " soldiers moved");
            try
            {
                doc.Set("nothing=1");
            }
            catch (LvlException e)
            {
                Console.WriteLine(e.Status + " " + e.Message.Substring(0, 26));
            }
            Console.WriteLine(doc.Render("size=64", "schematic=1").Length > 100);
        }
        return 0;
    }
}
