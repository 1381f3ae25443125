import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { listSealedSecrets, type SealedSecret } from '#data/health/sealed-secrets.ts'
import { createSealer } from '#server/security/sealer.ts'
import { KeyMismatchError, openSecrets, type Secrets } from '#server/security/secrets.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'secrets.master_key': {
    severity: 'problem',
    title: 'The master key is missing, damaged, unreadable, or of another database',
    why: 'Without it no password and no second factor works, and Awaz does not start.',
    remedy:
      'Restore DATA_DIR/secrets/master-key from a backup (docs/backup.md), owned by the user that Awaz runs as, with mode 0600.',
  },
  'secrets.two_factor': {
    severity: 'problem',
    title: 'Second factors cannot be decrypted',
    why: 'Codes of these accounts are refused.',
    remedy: 'Restore a backup, or npm run awaz -- admin reset-2fa EMAIL for each account.',
    command: 'npm run awaz -- admin reset-2fa EMAIL',
  },
  'secrets.webhook': {
    severity: 'problem',
    title: 'Signing secrets of webhooks cannot be decrypted',
    why: 'Nothing is sent to them.',
    remedy: 'Restore a backup, or let their owners delete them and add them again.',
  },
  'secrets.provider': {
    severity: 'problem',
    title: 'Secrets of sign-in providers cannot be decrypted',
    why: 'Nobody can sign in through them.',
    remedy: 'Restore a backup, or enter the secret again on the page Sign-in.',
  },
} as const

const finding = findingsOf(findings)
const things = {
  two_factor: { code: 'secrets.two_factor', count: amountTexts.accounts },
  webhook: { code: 'secrets.webhook', count: amountTexts.webhooks },
  provider: { code: 'secrets.provider', count: amountTexts.providers },
} as const

/** Checks the master key, and whether it decrypts the stored secrets. */
export const secretsCheck: Check<DatabaseContext> = { name: 'secrets', findings, run }

async function run({ config, connection, signal }: DatabaseContext): Promise<Finding[]> {
  const { dataDir } = config
  let secrets: Secrets
  try {
    secrets = await openSecrets({ dataDir, facts: createSystemFactRepository(connection) })
  } catch (error) {
    if (!(error instanceof KeyMismatchError)) throw error
    return [finding('secrets.master_key', error.message)]
  }
  const closed = { two_factor: [] as string[], webhook: [] as string[], provider: [] as string[] }
  const open = openerOf(secrets)
  for await (const secret of listSealedSecrets(connection)) {
    signal.throwIfAborted()
    if (!open(secret)) closed[secret.kind].push(secret.ownerId)
  }
  return (Object.keys(things) as (keyof typeof things)[]).flatMap((kind) => {
    const { code, count } = things[kind]
    const ids = closed[kind]
    if (ids.length === 0) return []
    return finding(code, `The secret of ${count(ids.length)} (${listSome(ids)}) cannot be decrypted.`)
  })
}

/** Returns a function that tests whether a secret can be decrypted. */
function openerOf({ totp, webhooks, signInProviders }: Secrets): (secret: SealedSecret) => boolean {
  const sealers = {
    two_factor: createSealer(totp),
    webhook: createSealer(webhooks),
    provider: createSealer(signInProviders),
  }
  return ({ kind, ownerId, sealed }) => {
    try {
      sealers[kind].open(sealed, ownerId)
      return true
    } catch {
      return false
    }
  }
}
