import { createContext, use } from 'react'
import type { RecordingAccess } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { toastInfo } from '../../../shared/toast.tsx'

/** What the user may do with the recording on screen. */
export interface Permissions {
  /** May correct lines and speakers, write notes and review hits. */
  canEdit: boolean
  /** May make all other changes: transcribe, translate, restore a version. */
  isOwner: boolean
}

const everything: Permissions = { canEdit: true, isOwner: true }
const correcting: Permissions = { canEdit: true, isOwner: false }
const reading: Permissions = { canEdit: false, isOwner: false }
const permissionsOf: Record<RecordingAccess, Permissions> = { owner: everything, edit: correcting, view: reading }

/** Holds the user's access to the recording on screen; outside a desk, that of an owner. */
export const RecordingAccessContext = createContext<RecordingAccess>('owner')

/** Returns what the user may do with the recording on screen. Actions not permitted are hidden, and `SharedNotice` says why. */
export function usePermissions(): Permissions {
  return permissionsOf[use(RecordingAccessContext)]
}

/** Announces why a key does nothing. */
export function announceReadOnly(): void {
  toastInfo(t('You may read this recording, but not change it. Ask the owner of the case for the right to edit.'))
}
