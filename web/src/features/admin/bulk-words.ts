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
  activate: { label: 'Activate', done: 'activated', meaning: 'They may sign in again.' },
  deactivate: {
    label: 'Deactivate',
    done: 'deactivated',
    meaning: 'They are signed out everywhere and cannot sign in until they are activated. What they recorded is kept.',
  },
  revoke_sessions: {
    label: 'Revoke Sessions',
    done: 'signed out everywhere',
    meaning: 'They are signed out everywhere and may sign in again.',
  },
  make_user: {
    label: 'Make users',
    done: 'made users',
    meaning: 'They work with their own recordings alone, and are signed out everywhere.',
  },
  make_admin: {
    label: 'Make admins',
    done: 'made admins',
    meaning: 'They manage users and other admins and read the audit trail, and are signed out everywhere.',
  },
  delete: {
    label: 'Delete',
    done: 'deleted',
    meaning:
      'They are deleted with all recordings, transcripts, translations and keywords. This action cannot be undone!',
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
