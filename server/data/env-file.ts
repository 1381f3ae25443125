import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from './config.ts'
import { findUnknownSettings } from './unknown-settings.ts'

const root = dirname(dirname(import.meta.dirname))

/**
 * Adds the settings of the file `.env` beside package.json to `env`; every process and command calls it before reading its
 * configuration. Existing variables win, even NAME over NAME_FILE. AWAZ_ENV_FILE names another file; if it is empty, none is read.
 * @throws ConfigError for names that are not settings
 * @throws where AWAZ_ENV_FILE names a file that cannot be read
 */
export function loadEnvFile(env: NodeJS.ProcessEnv): void {
  const path = env.AWAZ_ENV_FILE ?? join(root, '.env')
  if (path === '' || (env.AWAZ_ENV_FILE === undefined && !existsSync(path))) return
  // Compared with what was set before: the file itself may set both forms, which readConfig rejects.
  const isGiven = new Set(Object.keys(env).filter((name) => env[name] !== undefined))
  const inFile = parseEnv(readFileSync(path, 'utf8'))
  const unknown = findUnknownSettings(Object.keys(inFile))
  if (unknown.length > 0) throw new ConfigError(unknown)
  for (const [name, value] of Object.entries(inFile)) {
    if (!isGiven.has(name) && !isGiven.has(otherForm(name))) env[name] = value
  }
}

function otherForm(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
}
