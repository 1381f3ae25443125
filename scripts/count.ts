// npm run count: prints how many files and lines the product has, by folder, without the code that tests and measures it.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTest, readCode } from './check/source-files.ts'
import type { SourceFile } from './check/source-files.ts'
import { formatTable } from './cli/format-table.ts'

const root = dirname(import.meta.dirname)
/** Programs that run, measure or attack the product from outside. */
const measuringPrograms = /^(web\/e2e|scripts\/(bench|chaos|mutants|screenshots))(\/|\.ts$)/u

const code = readCode(root)
const product = code.filter(({ path }) => !isTest(path) && !measuringPrograms.test(path))
const styles = globSync('web/src/**/*.css', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))

const header = ['TypeScript of the product', 'files', 'lines', 'mean', 'longest']
const groups = [...Map.groupBy(product, ({ path }) => folderOf(path))].map(([name, files]) => describe(name, files))
const sorted = groups.toSorted((one, other) => Number(other[2]) - Number(one[2]))
console.log(formatTable([header, ...sorted, describe('all', product)]))
console.log(
  `\nTests and what measures: ${countLines(code) - countLines(product)} lines in ${code.length - product.length} files`,
)
console.log(`Style sheets: ${styles.reduce((sum, text) => sum + linesOf(text), 0)} lines in ${styles.length} files`)

/** Returns the folder whose row a file is counted in: two levels deep, three in the web app. */
function folderOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, folders[0] === 'web' ? 3 : 2).join('/')
}

function describe(name: string, files: readonly SourceFile[]): string[] {
  const lines = countLines(files)
  const longest = Math.max(...files.map(({ text }) => linesOf(text)))
  return [name, `${files.length}`, `${lines}`, (lines / files.length).toFixed(1), `${longest}`]
}

function countLines(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + linesOf(text), 0)
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}
