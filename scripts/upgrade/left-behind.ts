import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Config } from '#data/config.ts'
import { ifExists } from '#data/if-exists.ts'

/** Folder of the running code. */
const ownFolder = dirname(dirname(import.meta.dirname))

/**
 * Returns a sentence for each part of this installation that is in the folder of the running release: a new release in a separate folder
 * would start without it. None for a clone, whose folder an upgrade keeps.
 *
 * @param folder default: that of the running code
 */
export async function findLeftBehind(
  { dataDir, modelsDir }: Pick<Config, 'dataDir' | 'modelsDir'>,
  env: NodeJS.ProcessEnv,
  folder = ownFolder,
): Promise<string[]> {
  if (!existsSync(join(folder, 'RELEASE'))) return []
  const release = await realpath(folder)
  const settingsFile = env.AWAZ_ENV_FILE ?? join(folder, '.env')
  const parts = [
    { path: dataDir, what: 'DATA_DIR', remedy: 'Stop Awaz, move it, for example to /var/lib/awaz, and set DATA_DIR.' },
    { path: modelsDir, what: 'MODELS_DIR', remedy: 'Move it, for example to DATA_DIR/models, and set MODELS_DIR.' },
    {
      path: settingsFile,
      what: 'The file of settings',
      remedy: 'Move it, for example to /etc/awaz.env, and set AWAZ_ENV_FILE.',
    },
  ]
  const inside: { path: string; sentence: string }[] = []
  for (const { path, what, remedy } of parts) {
    const real = path === '' ? undefined : await ifExists(() => realpath(path))
    if (real === undefined || !isWithin(release, real)) continue
    // Models below DATA_DIR move with it.
    if (inside.some((outer) => isWithin(outer.path, real))) continue
    const sentence = `${what} is ${real}, in the folder of the release that runs: the new one would start without it. ${remedy}`
    inside.push({ path: real, sentence })
  }
  return inside.map(({ sentence }) => sentence)
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`)
}
