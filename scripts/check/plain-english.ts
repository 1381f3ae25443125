import type { SourceFile } from './source-files.ts'

/** Phrases that give away translated prose, with what an experienced native speaker writes instead (docs/contributing.md). */
const markers: [pattern: RegExp, plain: string][] = [
  [/(?<!(?:leaves?|left|leaving|lets?|stand|go|goes|live|lives|work|works|is|are)[ -](?:\w+ )?)\balone\b/gi, 'only'],
  [/\banew\b/gi, 'again, or from scratch'],
  [/\bwhoever\b/gi, 'anyone who, or the person who'],
  [/(?<!\bnot )\bso many (?!that\b)\w+/gi, 'this many, or the number'],
  [/\bnobody (?:could be|is to)\b/gi, 'nobody can'],
  [
    /\bof (?:its|their|one[’']s|his|her) own\b(?! (?!and|as|at|but|by|for|in|on|or|so|that|to|which|with)\w)/gi,
    'its own … before the noun, or a separate …',
  ],
  [/\bas (?:it|they) (?:was|were) (?:when|at)\b/gi, 'unchanged since'],
]

/** Pages that tests compare with code, and the specification in our words. */
const comparedPages = /^docs\/(?:messages.*|specification)\.md$/

/** Returns the comments and the pages that contain phrases of translated prose. */
export function findTranslatedProse(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !comparedPages.test(path) && path !== 'scripts/check/plain-english.ts')
    .flatMap(({ path, text }) => {
      const prose = path.endsWith('.md') ? withoutCode(text) : commentsOf(text)
      return markers.flatMap(([pattern, plain]) =>
        [...prose.matchAll(pattern)].map(({ 0: found, index }) => {
          const line = prose.slice(0, index).split('\n').length
          return `${path}:${line} says "${found}": write ${plain}`
        }),
      )
    })
}

/** Blanks everything but comments, so that lines keep their numbers. */
function commentsOf(text: string): string {
  return text
    .split('\n')
    .map((line) => /^\s*(?:\/\*\*?|\*|\/\/).*$|(?<=\s)\/\/ .*$/.exec(line)?.[0] ?? '')
    .join('\n')
}

/** Blanks code blocks and code spans, and quotations of the product's texts. */
function withoutCode(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, ' ')
  return text.replaceAll(/^```.*?^```|^(?: {4}|\t).*$|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/gms, blank)
}
