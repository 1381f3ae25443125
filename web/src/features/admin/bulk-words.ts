import { t } from '#contract/texts/t.ts'
import type { BulkUserAction } from '#contract/user-list.ts'

interface BulkWords {
  /** The action, as a button names it. */
  label: string
  /** What was done to them: `3 users deactivated`. */
  done: string
  /** What the action means to each of them. */
  meaning: string
}

export const bulkActionWords: Record<BulkUserAction, BulkWords> = {
  activate: { label: t('Activate'), done: 'activated', meaning: t('They may sign in again.') },
  deactivate: {
    label: t('Deactivate'),
    done: 'deactivated',
    meaning: t(
      'They are signed out everywhere and cannot sign in until they are activated. What they recorded is kept.',
    ),
  },
  revoke_sessions: {
    label: t('Revoke Sessions'),
    done: t('signed out everywhere'),
    meaning: t('They are signed out everywhere and may sign in again.'),
  },
  make_user: {
    label: t('Make users'),
    done: t('made users'),
    meaning: t('They work with their own recordings alone, and are signed out everywhere.'),
  },
  make_admin: {
    label: t('Make admins'),
    done: t('made admins'),
    meaning: t('They manage users and other admins and read the audit trail, and are signed out everywhere.'),
  },
  delete: {
    label: t('Delete'),
    done: 'deleted',
    meaning: t(
      'They are deleted with all recordings, transcripts, translations and keywords. This action cannot be undone!',
    ),
  },
}

/** `1 user`, `3 users`. */
export function countUsers(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'user' : 'users'}`
}

/** `3 users deactivated`. */
export function describeCompletedBulkAction(action: BulkUserAction, count: number): string {
  return `${countUsers(count)} ${bulkActionWords[action].done}`
}
