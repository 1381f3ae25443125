import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SourceFile } from './source-files.ts'

/** Files and variables of other projects that our files mention. */
const foreign = ['models/convert-h5-to-ggml.py', 'docs/quantization.md', 'WSP_GGML_USE_LLAMAFILE']

interface ReferenceOptions {
  /** Folder of the repository. */
  root: string
  code: SourceFile[]
  docs: SourceFile[]
  /** Scripts of package.json. */
  scripts: string[]
  /** Text of every file that may read an environment variable, including shell and container scripts. */
  readers: string
}

/**
 * Returns what documentation, comments and messages mention although it does not exist: link targets, files of the repository, `npm run`
 * scripts, and environment variables that nothing reads.
 */
export function findMissingReferences({ root, code, docs, scripts, readers }: ReferenceOptions): string[] {
  const all = [...docs, ...code]
  return [
    ...docs.flatMap((file) => missingLinks(root, file)),
    ...all.flatMap((file) => missingFiles(root, file)),
    ...missingBareNames(code),
    ...all.flatMap((file) => missingScripts(file, scripts)),
    ...docs.flatMap((file) => missingVariables(file, readers)),
  ]
}

function missingLinks(root: string, { path, text }: SourceFile): string[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(path), target)))
    .map((target) => `${path} links to ${target}, which is missing`)
}

/** Resolves paths from the root, from docs/ and from the file itself. In code, checks only comments: the compiler checks imports. */
function missingFiles(root: string, { path, text }: SourceFile): string[] {
  const prose = path.endsWith('.md') ? text : commentsOf(text)
  const pattern =
    /(?<![\w./#@-])((?:server|engine|web|scripts|testing|docs|models|decisions)\/(?:[\w./-]+\.(?:tsx?|mjs|md|sh|py|json)\b|[\w/-]+\/(?![\w.*[{<])))/g
  return [...prose.matchAll(pattern)]
    .map(([, target = '']) => target)
    .filter((target) => !foreign.includes(target))
    .filter((target) => !['', 'docs', dirname(path)].some((folder) => existsSync(join(root, folder, target))))
    .map((target) => `${path} mentions ${target}, which is missing`)
}

/** Checks file names without a folder in comments, such as `see lease.ts`: a file of that name must exist. */
function missingBareNames(code: SourceFile[]): string[] {
  const names = new Set(code.map(({ path }) => basename(path)))
  return code.flatMap(({ path, text }) =>
    [...commentsOf(text).matchAll(/(?<![\w./*<{}$#@-])[a-z][\w-]*(?:\.[a-z]+)*\.tsx?\b/g)]
      .map(([name]) => name)
      .filter((name) => !names.has(name))
      .map((name) => `${path} mentions ${name}, which is missing`),
  )
}

/** Returns the lines of a file that contain only comments. */
function commentsOf(text: string): string {
  return [...text.matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].join('\n')
}

function missingScripts({ path, text }: SourceFile, scripts: string[]): string[] {
  return [...text.matchAll(/\bnpm run ([a-z]\w*(?::\w+)*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !scripts.includes(name))
    .map((name) => `${path} mentions npm run ${name}, which is missing`)
}

function missingVariables({ path, text }: SourceFile, readers: string): string[] {
  const names = new Set(
    [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name),
  )
  return [...names]
    .filter(
      (name) => !foreign.includes(name) && !new RegExp(`\\b${name.replace(/_FILE$/, '')}(_FILE)?\\b`).test(readers),
    )
    .map((name) => `${path} mentions ${name}, which nothing reads`)
}
