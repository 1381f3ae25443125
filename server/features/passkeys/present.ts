import type { Passkey } from '#contract/endpoints/passkeys.ts'
import type { PasskeyRecord } from '#data/passkeys/passkeys.ts'

export function presentPasskey({ id, name, createdAt, lastUsedAt, isBackedUp }: PasskeyRecord): Passkey {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    is_synced: isBackedUp,
  }
}
