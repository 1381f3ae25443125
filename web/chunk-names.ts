import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface ModuleInfo {
  code: string | null
  importedIds: readonly string[]
}

interface Bundle {
  getModuleInfo: (id: string) => ModuleInfo | null
}

/** Re-exports every component. The names imported from it say which ones are needed. */
const componentIndex = /@mantine\/core\/esm\/index\.mjs$/
/** The base of all components is loaded with the first page. */
const frameworkCore = /@mantine\/core\/esm\/core\//
const componentImport = /import\s*\{([^}]*)\}\s*from\s*["']@mantine\/core["']/g

/**
 * Returns the function that names chunks: one each for what home shares with the sign-in page, for header and footer, and for home.
 * Left to the bundler, each set of pages that share modules gets its own chunk, and home loads a hundred. `root` is the folder
 * of main.tsx.
 */
export function createChunkNames(root: string) {
  const reached = new Map<string, Set<string>>()

  function reach(entry: string, bundle: Bundle): Set<string> {
    const known = reached.get(entry)
    if (known) return known
    const ids = new Set<string>()
    const open = [join(root, entry)]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (ids.has(id)) continue
      ids.add(id)
      const info = bundle.getModuleInfo(id)
      if (info) open.push(...listImports(info))
    }
    reached.set(entry, ids)
    return ids
  }

  /** Names the chunk of a module; null leaves it to the bundler. */
  return function nameChunk(id: string, bundle: Bundle): string | null {
    const isIn = (entry: string) => reach(entry, bundle).has(id)
    if (frameworkCore.test(id) || isIn('main.tsx')) return null
    const isShell = isIn('app/shell/shell.tsx')
    const isHome = isShell || isIn('features/library/library-page.tsx')
    if (isIn('features/auth/auth-page.tsx')) return isHome ? 'common' : null
    if (isShell) return 'shell'
    return isHome ? 'library' : null
  }
}

function listImports({ code, importedIds }: ModuleInfo): string[] {
  const index = importedIds.find((id) => componentIndex.test(id))
  const ids = importedIds.filter((id) => id !== index)
  if (index === undefined) return ids
  const names = [...(code ?? '').matchAll(componentImport)].flatMap(([, list = '']) => list.split(','))
  for (const name of names.map((each) => each.trim().split(/\s/)[0] ?? '')) {
    const file = join(dirname(index), 'components', name, `${name}.mjs`)
    if (existsSync(file)) ids.push(file)
  }
  return ids
}
