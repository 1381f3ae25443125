// Checks of npm run check that need the whole repository: direction of imports, order of features, unused settings, names shown without
// isolation, texts in every language, prose, references to missing things, and the tests of the specification's statements.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import {
  findFeatureProblems,
  findModelImports,
  findMutualFolders,
  findWrongDirections,
  readFeatureOrder,
} from './import-direction.ts'
import { findMissingReferences } from './missing-references.ts'
import { findTranslatedProse } from './plain-english.ts'
import { findRawNames } from './raw-names.ts'
import { readCode, readDocs } from './source-files.ts'
import { findSpecificationProblems } from './specification.ts'
import { collectTexts, findCatalogProblems } from './texts.ts'
import { findUnusedSettings } from './unused-settings.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const code = readCode(root)
const docs = readDocs(root)
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> } // npm rejects one without
const shell = [
  'scripts/release/awaz.sh',
  'docker/healthcheck.sh',
  'compose.yaml',
  'docker/three-hosts/compose.yaml',
  'Dockerfile',
  '.ci/run',
].map(read)

const { texts, problems: textProblems } = collectTexts(code)
const catalogs = Object.keys(interfaceLanguages).filter((language) => language !== 'en')
const readCatalog = (language: string) =>
  JSON.parse(read(`server/contract/texts/${language}.json`)) as Record<string, string> // checked by its own tests

/** No two folders directly inside one of these may import each other. */
const layeredFolders = [
  'server/',
  'server/features/',
  'engine/',
  'engine/library/',
  'engine/models/',
  'engine/speech/',
  'engine/translation/',
  'web/src/',
  'web/src/features/',
  'web/src/features/workspace/',
  'web/src/shared/',
]

const problems = [
  ...findWrongDirections(code),
  ...findModelImports(code),
  ...findFeatureProblems(code, readFeatureOrder(read('docs/architecture.md'))),
  ...layeredFolders.flatMap((folder) => findMutualFolders(code, folder)),
  ...findUnusedSettings(code),
  ...findRawNames(code),
  ...textProblems,
  ...catalogs.flatMap((language) => findCatalogProblems(language, readCatalog(language), texts)),
  ...findTranslatedProse([...code, ...docs]),
  ...findMissingReferences({
    root,
    code: code.filter(({ path }) => !path.startsWith('scripts/check/')), // their tests mention what is missing
    docs,
    scripts: Object.keys(manifest.scripts),
    readers: [...code.map(({ text }) => text), ...shell].join('\n'),
  }),
  ...findSpecificationProblems({
    text: read('docs/specification.md'),
    readFile: (path) => (existsSync(join(root, path)) ? read(path) : undefined),
  }),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
