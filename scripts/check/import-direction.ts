import { importsOf, resolveImport, isTest, type SourceFile } from './source-files.ts'

interface Layer {
  /** Folder that the rule applies to. */
  folder: string
  /** Folders of the repository that it may import. */
  may: string[]
  /** Packages and built-in modules that it may not import, or the only ones that it may. */
  packages?: { only?: RegExp; never?: RegExp }
  /** What its tests may import in addition. */
  testsMay?: string[]
}

/** The database driver and models: only plain records with string ids leave server/data. */
const database = /^(mongoose|mongodb|bson)$/

/** docs/architecture.md, "Folders", describes them. */
const layers: Layer[] = [
  {
    folder: 'server/contract/',
    may: ['server/contract/'],
    packages: { only: /^(zod|icu-minify\/(compile|format))$/ },
    testsMay: ['vitest', 'fast-check'],
  },
  { folder: 'server/embedded-db/', may: ['server/embedded-db/'], testsMay: ['testing/'] },
  { folder: 'server/data/', may: ['server/contract/', 'server/data/'], testsMay: ['testing/', 'server/', 'engine/'] },
  {
    folder: 'server/security/',
    may: ['server/contract/', 'server/data/', 'server/security/'],
    packages: { never: database },
    testsMay: ['testing/', 'server/'],
  },
  {
    folder: 'server/http/',
    may: ['server/contract/', 'server/data/', 'server/security/', 'server/http/'],
    packages: { never: database },
    testsMay: ['testing/', 'server/'],
  },
  { folder: 'server/', may: ['server/'], packages: { never: database }, testsMay: ['testing/', 'engine/', 'scripts/'] },
  {
    folder: 'engine/',
    may: ['server/contract/', 'server/data/', 'engine/'],
    packages: { never: database },
    testsMay: ['testing/', 'scripts/'],
  },
  { folder: 'web/src/', may: ['server/contract/', 'web/src/'], packages: { never: /^node:|mongoose|mongodb/ } },
  ...['scripts/admin/', 'scripts/cli/', 'scripts/supervisor/'].map((folder) => ({
    folder,
    may: ['server/', 'engine/', 'scripts/'],
    packages: { never: database },
    testsMay: ['testing/'],
  })),
]

/** Returns the imports that go against the direction of the layers: one line per import. */
export function findWrongDirections(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const layer = layers.find(({ folder }) => file.path.startsWith(folder))
    if (!layer) return []
    return importsOf(file)
      .filter((target) => !isAllowed(layer, target, isTest(file.path)))
      .map((target) => `${file.path} imports ${target}, which ${layer.folder} must not`)
  })
}

const namedImports = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm

/** Returns imports of database models from outside `server/data`, except in tests: repositories return plain records. */
export function findModelImports(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('server/data/') && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(namedImports)].flatMap(([, names = '', specifier = '']) => {
        const target = resolveImport(path, specifier)
        if (!target.startsWith('server/data/')) return []
        const models = names.split(',').filter((name) => /^\s*[a-z]\w*Model\s*$/.test(name))
        return models.map(
          (name) => `${path} imports ${name.trim()} of ${target}: only server/data may, use a repository`,
        )
      }),
    )
}

function isAllowed({ may, packages, testsMay = [] }: Layer, target: string, isInTest: boolean): boolean {
  if (isInTest && testsMay.some((allowed) => target.startsWith(allowed))) return true
  if (/^(server|engine|web|scripts|testing|models)\//.test(target))
    return may.some((folder) => target.startsWith(folder))
  if (isInTest && !packages?.only) return true
  return !packages?.never?.test(target) && (packages?.only?.test(target) ?? true)
}

/**
 * Returns the numbered list under "Order of features" in docs/architecture.md: one list of folders per step. A feature imports only
 * features of earlier steps.
 */
export function readFeatureOrder(architecture: string): string[][] {
  const section = /^## Order of features\n([\s\S]*?)(?=^## )/m.exec(architecture)?.[1] ?? ''
  return [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, step = '']) =>
    [...step.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  )
}

/** Returns imports between features that go against their order, and features missing from the order. */
export function findFeatureProblems(files: SourceFile[], order: string[][]): string[] {
  const rankOf = (feature: string) => order.findIndex((step) => step.includes(feature))
  const code = files.filter(({ path }) => featureOf(path) && !isTest(path))
  const names = [...new Set(code.map(({ path }) => featureOf(path) ?? ''))]
  const unknown = names.filter((name) => rankOf(name) < 0)
  return [
    ...unknown.map((name) => `docs/architecture.md, "Order of features", does not name ${name}`),
    ...code.flatMap((file) => {
      const own = featureOf(file.path) ?? ''
      return importsOf(file)
        .filter((target) => {
          const other = featureOf(target)
          return other !== undefined && other !== own && rankOf(other) >= rankOf(own)
        })
        .map(
          (target) =>
            `${file.path} imports ${target}: ${own} comes before ${featureOf(target)} in the order of features`,
        )
    }),
  ]
}

function featureOf(path: string): string | undefined {
  return /^server\/features\/([\w-]+)\//.exec(path)?.[1]
}

/** Returns pairs of folders directly inside `parent` that import each other, with one import each way; ignores tests. */
export function findMutualFolders(files: SourceFile[], parent: string): string[] {
  const folderOf = (path: string) =>
    path.startsWith(parent) ? /^([^/]+)\//.exec(path.slice(parent.length))?.[1] : undefined
  const imports = new Map<string, string>()
  for (const file of files.filter(({ path }) => !isTest(path))) {
    const from = folderOf(file.path)
    for (const target of importsOf(file)) {
      const to = folderOf(target)
      if (from && to && from !== to) imports.set(`${from} ${to}`, `${file.path} imports ${target}`)
    }
  }
  return [...imports].flatMap(([pair, there]) => {
    const [from = '', to = ''] = pair.split(' ')
    const back = imports.get(`${to} ${from}`)
    return back && from < to ? [`${parent}${from} and ${parent}${to} import each other: ${there}, ${back}`] : []
  })
}
