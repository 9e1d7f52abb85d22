/*
 * Tables that `lvl catalog export` wrote become Parquet in DuckDB, and are queried there. Prints what test_duckdb.sh compares: of each
 * table, the rows of the Parquet file that came from CSV and the lines of the other form; then the answers to two queries.
 * Usage: node duckdb.mjs MODULES CSV JSONL OUT, each a folder
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, csv, jsonl, out] = process.argv.slice(2);
const { DuckDBInstance } = await import(pathToFileURL(createRequire(`${resolve(modules)}/`).resolve("@duckdb/node-api")).href);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();

for (const table of ["files", "levels", "texts", "refs"]) {
    await connection.run(`COPY (SELECT * FROM read_csv('${csv}/${table}.csv', header = true, max_line_size = 100000000, sample_size = -1)) TO '${out}/${table}.parquet' (FORMAT parquet)`);
    const [[rows]] = await ask(`SELECT count(*) FROM '${out}/${table}.parquet'`);
    const [[lines]] = await ask(`SELECT count(*) FROM read_json('${jsonl}/${table}.jsonl', format = 'newline_delimited', maximum_object_size = 100000000)`);
    console.log(`${table} ${rows} ${lines}`);
}
const both = `'${out}/levels.parquet' l JOIN '${out}/files.parquet' f ON f.id = l.file`;
for (const [game, files] of await ask(`SELECT l.game, count(*) FROM ${both} GROUP BY 1 ORDER BY 1`)) console.log(`${game} ${files}`);
for (const [path, soldiers] of await ask(`SELECT f.name, json_extract(l.info, '$.enemies.Soldier') FROM ${both} WHERE f.name = 'cliffs.wwd'`))
    console.log(`${path} ${soldiers}`);
