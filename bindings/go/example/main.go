// Moves the soldiers of a level: example LEVEL.wwd NEW.wwd
package main

import (
	"fmt"
	"log"
	"os"

	"lvl/lvl"
)

func main() {
	doc, err := lvl.Load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer doc.Close()
	moved := 0
	planes := doc.Wwd().Planes()
	for p := range planes {
		if planes[p].Main() {
			fmt.Println("main plane:", planes[p].Name())
		}
		objects := planes[p].Objects()
		for i := range objects {
			if o := &objects[i]; o.Logic() == "Soldier" {
				o.Move(o.X()+planes[p].TileWidth(), o.Y())
				moved++
			}
		}
	}
	if err := doc.Save(os.Args[2]); err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved, "soldiers moved")
	_, err = doc.Set("nothing=1")
	fmt.Println(err.(*lvl.Error).Status == lvl.Argument, err.Error()[:26])
	png, err := doc.Render(lvl.Options{"size": 64, "schematic": true})
	fmt.Println(err, string(png[1:4]))
}
