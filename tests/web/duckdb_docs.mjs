/*
 * Runs the statements of docs/catalogue.md for DuckDB in this folder, and prints what test_duckdb.sh compares, as JSON lines: some columns of the
 * Parquet file that the first statement makes, the rows of the second, and of the third, which reads several exports.
 * Usage: node duckdb_docs.mjs MODULES PAGE
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, page] = process.argv.slice(2);
const { DuckDBInstance } = await import(pathToFileURL(createRequire(`${resolve(modules)}/`).resolve("@duckdb/node-api")).href);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const print = async (sql) => {
    for (const row of (await connection.runAndReadAll(sql)).getRowObjectsJson())
        console.log(JSON.stringify(row, (key, value) => (key === "size" ? Number(value) : value)));
};

const blocks = [...readFileSync(page, "utf8").matchAll(/```sql\n(.*?)```/gs)].map((found) => found[1]);
const [make, ask] = blocks[0].split(/;\n/);
await connection.run(make);
await print("SELECT path, name, format, version, size, sha256, title, author FROM 'all_levels.parquet' ORDER BY path");
await print(ask);
await print(blocks[1].replace(/;\s*$/, " ORDER BY f.path, d.id"));
