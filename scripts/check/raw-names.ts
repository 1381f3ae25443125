import { isTest, type SourceFile } from './source-files.ts'

const component = 'web/src/shared/ui/isolated.tsx'
const isolated = /<(Isolated|PersonName|DirectionalText)\b[^<]*>\s*$/
const ownName = String.raw`(?:\w+[?!]?\.)*(?:\w*[nN]ame|tag|keyword|word|spelling)|displayName\([\w.]+\)`
/** `{recording.name}` between tags; preceded by `=` it is an attribute, by `$` part of a string. */
const child = new RegExp(String.raw`(?<![=$\w(])\{(${ownName})\}`, 'g')
/** Attributes shown as plain text by a browser or a component. Not `aria-label`: it is read aloud, in the order of the characters. */
const attribute = new RegExp(String.raw`(?<![-\w])(?:title|placeholder|label)=\{(?:\`[^\`]*\$\{)?(${ownName})\}`, 'g')
const toast = new RegExp(String.raw`\btoast[A-Z]\w*\(\s*\`[^\`]*\$\{(${ownName})\}`, 'g')

/** The same names as values of `t`, in an attribute or a toast: `{ name }`, or `{ label: recording.name }`. */
const valueOfText = new RegExp(
  String.raw`(?:(?<![-\w])(?:title|placeholder|label)=\{|\btoast[A-Z]\w*\(\s*)t\(\s*(?:'[^'\n]*'|"[^"\n]*"),\s*\{[^}]*?[{,]\s*(?:\w+: )?(${ownName})(?=\s*[,}])`,
  'g',
)

/** Files whose names come from the product: categories, columns, conditions, formats, models (ASCII, see ModelName), languages. */
const interfaceNames = new Set([
  'web/src/app/app-routes.tsx',
  'web/src/features/admin/user-page.tsx', // Page isolates its title
  'web/src/features/batches/batch-bar.tsx',
  'web/src/features/keywords/category-panel.tsx',
  'web/src/features/keywords/keywords-page.tsx',
  'web/src/features/library/filter-chips.tsx',
  'web/src/features/library/list-head.tsx',
  'web/src/features/library/sort-menu.tsx',
  'web/src/features/people/lifetime-fields.tsx',
  'web/src/features/search/nothing-found.tsx',
  'web/src/features/search/search-chips.tsx',
  'web/src/features/system/engine-item.tsx',
  'web/src/features/system/models/catalog-list.tsx',
  'web/src/features/system/models/clear-choice.tsx',
  'web/src/features/system/models/import-dialog.tsx',
  'web/src/features/system/models/import-panel.tsx',
  'web/src/features/system/models/model-actions.tsx',
  'web/src/features/system/models/model-card.tsx',
  'web/src/features/system/models/model-comparison.tsx',
  'web/src/features/system/models/model-use-dialog.tsx',
  'web/src/features/people/providers/ldap-form.tsx',
  'web/src/features/workspace/exports/export-menu.tsx',
  'web/src/features/workspace/exports/report-view.tsx',
  'web/src/features/workspace/provenance/provenance-details.tsx',
  'web/src/features/workspace/transcription/speaker-options.tsx',
  'web/src/features/workspace/versions/compare-list.tsx',
  'web/src/features/workspace/versions/take-line.tsx',
  'web/src/shared/two-factor/two-factor-wizard.tsx',
])

/** Returns the places in the web app that show a user-given name without isolating it (docs/decisions/right-to-left.md). */
export function findRawNames(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^web\/src\/.*\.tsx?$/.test(path) && !isTest(path) && path !== component)
    .flatMap(({ path, text }) => [
      ...find(text, /<bdi\b(?! (?:dir|lang)=)()/g).map(
        ({ line }) => `${path}:${line} has a bdi of its own: use Isolated`,
      ),
      ...(interfaceNames.has(path) ? [] : findIn(path, text)),
    ])
}

/** The text passed to `t` or `rich`: `{name}` in it is a placeholder for a value, which is checked separately. */
const message = /(?<![.\w])(?:t|rich)\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/g

function findIn(path: string, whole: string): string[] {
  const text = whole.replaceAll(message, (call) => call.replaceAll(/[{}]/g, ' '))
  const children = path.endsWith('.tsx') ? find(text, child).filter(({ at }) => !isolated.test(text.slice(0, at))) : []
  return [
    ...children.map(({ line, name }) => `${path}:${line} shows ${name} as it is: use Isolated`),
    ...[attribute, toast, valueOfText]
      .flatMap((pattern) => find(text, pattern))
      .map(({ line, name }) => `${path}:${line} shows ${name} in a plain text: use isolateName`),
  ]
}

function find(text: string, pattern: RegExp): { line: number; at: number; name: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    at: match.index,
    name: match[1] ?? '',
  }))
}
