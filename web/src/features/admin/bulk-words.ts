import { t } from '#contract/texts/t.ts'
import type { BulkUserAction } from '#contract/user-list.ts'

interface BulkWords {
  /** The label of the action's button. */
  label: string
  /** What the action means for the selected users. */
  meaning: string
}

export const bulkActionWords: Record<BulkUserAction, BulkWords> = {
  activate: { label: t('Activate'), meaning: t('They may sign in again.') },
  deactivate: {
    label: t('Deactivate'),
    meaning: t(
      'They are signed out everywhere and cannot sign in until they are activated. What they recorded is kept.',
    ),
  },
  revoke_sessions: {
    label: t('Revoke Sessions'),
    meaning: t('They are signed out everywhere and may sign in again.'),
  },
  make_user: {
    label: t('Make users'),
    meaning: t('They work with their own recordings alone, and are signed out everywhere.'),
  },
  make_admin: {
    label: t('Make admins'),
    meaning: t('They manage users and other admins and read the audit trail, and are signed out everywhere.'),
  },
  delete: {
    label: t('Delete'),
    meaning: t(
      'They are deleted with all recordings, transcripts, translations and keywords. This action cannot be undone!',
    ),
  },
}

/** `3 users deactivated`. */
export function describeCompletedBulkAction(action: BulkUserAction, count: number): string {
  switch (action) {
    case 'activate':
      return t('{count, plural, one {# user activated} other {# users activated}}', { count })
    case 'deactivate':
      return t('{count, plural, one {# user deactivated} other {# users deactivated}}', { count })
    case 'revoke_sessions':
      return t('{count, plural, one {# user signed out everywhere} other {# users signed out everywhere}}', { count })
    case 'make_user':
      return t('{count, plural, one {# user made users} other {# users made users}}', { count })
    case 'make_admin':
      return t('{count, plural, one {# user made admins} other {# users made admins}}', { count })
    case 'delete':
      return t('{count, plural, one {# user deleted} other {# users deleted}}', { count })
  }
}
