/** The vitest projects whose tests should notice a change in a folder, fastest first. */
const suites: { folder: string; projects: string[] }[] = [
  { folder: 'web/src/', projects: ['web'] },
  { folder: 'server/contract/', projects: ['unit', 'web', 'api'] },
  { folder: 'server/', projects: ['unit', 'api'] },
  { folder: 'engine/', projects: ['unit', 'engine'] },
  { folder: 'scripts/', projects: ['unit'] },
]

/** Returns the projects for a path relative to the root of the repository. Throws where no suite covers the path. */
export function projectsFor(path: string): string[] {
  const suite = suites.find(({ folder }) => `${path.replace(/\/$/, '')}/`.startsWith(folder))
  if (!suite)
    throw new Error(`No suite of tests is known for ${path}: ${suites.map(({ folder }) => folder).join(', ')}`)
  return suite.projects
}
