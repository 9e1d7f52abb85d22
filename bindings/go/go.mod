module lvl

go 1.19
