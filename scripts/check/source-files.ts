import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of the repository: its path from the root and its text. */
export interface SourceFile {
  path: string
  text: string
}

const codePatterns = ['{server,engine,web,scripts,testing}/**/*.{ts,tsx,mjs}']
const docPatterns = ['README.md', 'docs/**/*.md']

/** Returns the code of the repository at `root`, tests included. */
export function readCode(root: string): SourceFile[] {
  return readFiles(root, codePatterns)
}

/** Returns the documentation of the repository at `root`. */
export function readDocs(root: string): SourceFile[] {
  return readFiles(root, docPatterns)
}

function readFiles(root: string, patterns: string[]): SourceFile[] {
  const exclude = (path: string) => /(^|\/)(node_modules|dist)$/.test(path)
  return globSync(patterns, { cwd: root, exclude })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Returns whether the file is a test or a test helper. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|\.coverage\.ts$|(^|\/)testing\//.test(path)
}

const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^'\s]+)'/gm

/** Returns what a file imports: paths from the root for files of the repository, other specifiers as they are. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(importPattern)].map(([, specifier = '']) => resolveImport(path, specifier))
}

/** The `imports` of package.json. */
const aliases: Record<string, string> = {
  '#contract': 'server/contract',
  '#data': 'server/data',
  '#engine': 'engine',
  '#server': 'server',
  '#testing': 'testing',
}

/** Returns what a specifier in the file `path` means: a path from the root for a file of the repository, else the specifier. */
export function resolveImport(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  const [alias = '', ...rest] = specifier.split('/')
  return Object.hasOwn(aliases, alias) ? [aliases[alias], ...rest].join('/') : specifier
}

/** Returns whether a file declares settings. Each setting is described in `.env.example`. */
export function isSettingsFile(path: string): boolean {
  return /^server\/data\/(model-)?settings\.ts$/.test(path)
}
