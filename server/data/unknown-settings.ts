import { editDistance } from '#contract/edit-distance.ts'
import { settings } from './settings.ts'

/** One setting per language, such as SPEECH_MODEL_PS; `readConfig` rejects unknown languages. */
const perLanguage = /^(?:SPEECH_MODEL|SPEECH_SERVER_MODEL)_[A-Z_]+$/
/** Other variables that a file `.env` may contain: those of Node, system libraries, Compose and our own tools. */
const others =
  /^(?:AWAZ|NODE|UV|OPENSSL|OMP|GLIBC|COMPOSE|DOCKER|SPEACHES|MALLOC|LD)_\w+$|^(?:TZ|LANG|LC_\w+|PATH|HOME|TMPDIR)$|^(?:HTTPS?|NO|ALL)_PROXY$|^SSL_CERT_\w+$/i
/** A name in the environment that differs from a setting in at most this many letters is a misspelling. */
const maxMisspelled = 2
const names = Object.keys(settings)

/** Returns one sentence per variable of a file `.env` that is not a setting. */
export function findUnknownSettings(inFile: readonly string[]): string[] {
  return inFile.filter((name) => !isKnown(name) && !others.test(name)).map(describe)
}

/**
 * Returns one sentence per environment variable that is probably a misspelled setting. All kinds of programs set environment variables,
 * so only names of several words count.
 */
export function findMisspelledSettings(env: NodeJS.ProcessEnv): string[] {
  const given = Object.keys(env).filter(
    (name) => env[name] && name.includes('_') && !isKnown(name) && !others.test(name),
  )
  return given.filter((name) => findNearSetting(name) !== undefined).map(describe)
}

function isKnown(name: string): boolean {
  return (
    name in settings || (name.endsWith('_FILE') && isKnown(name.slice(0, -'_FILE'.length))) || perLanguage.test(name)
  )
}

function describe(name: string): string {
  const near = findNearSetting(name)
  const hint = near ? `did you mean ${near}?` : 'the settings are listed in .env.example'
  return `${name} is not a setting; ${hint}`
}

/** Returns the setting that a name is probably a misspelling of. Each start compares all variables, so distant names are dropped early. */
function findNearSetting(name: string): string | undefined {
  const candidates = name.endsWith('_FILE') ? names.map((known) => `${known}_FILE`) : names
  let near: string | undefined
  let limit = maxMisspelled
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate, limit)
    if (distance > limit) continue
    near = candidate
    limit = distance - 1
  }
  return near
}
