import { t } from '#contract/texts/t.ts'
import { describePhrases } from './detail-phrases.ts'
import { displayLocale } from '../../shared/texts/locale.ts'

/** Labels for the action codes of the audit trail. The API and the CSV keep the codes. */
const actions: Record<string, string> = {
  'access.denied': t('Access denied'),
  'address_change.apply': t('New address in effect'),
  'address_change.stop': t('New address stopped'),
  'admin.activate': t('User activated'),
  'admin.create': t('User created'),
  'admin.deactivate': t('User deactivated'),
  'admin.delete': t('User deleted'),
  'admin.end_session': t('Session ended by an admin'),
  'admin.export_users': t('List of users downloaded'),
  'admin.provider_create': t('Sign-in provider added'),
  'admin.provider_delete': t('Sign-in provider removed'),
  'admin.provider_test': t('Sign-in provider tested'),
  'admin.provider_update': t('Sign-in provider changed'),
  'admin.reset_2fa': t('Two-factor reset by an admin'),
  'admin.reset_password': t('Password reset by an admin'),
  'admin.revoke_sessions': t('Sessions revoked'),
  'admin.role': t('Role changed'),
  'admin.sign_in_settings': t('Sign-in settings changed'),
  'admin.unlock': t('Account unlocked'),
  'admin.update': t('User edited'),
  'api_key.create': t('API key created'),
  'api_key.new_address': t('API key used from a new address'),
  'api_key.revoke': t('API key revoked'),
  'audit.export': t('Audit trail downloaded'),
  'auth.forgot_password': t('Password reset asked for'),
  'auth.reset_code': t('Reset code checked'),
  'auth.reset_link': t('Reset link checked'),
  'auth.reset_password': t('Password reset by mail'),
  'auth.signin': t('Sign-in'),
  'auth.signout': t('Sign-out'),
  'auth.signup': t('Registration'),
  'auth.sso_create': t('Account created by a provider'),
  'auth.sso_link': t('Account linked to a provider'),
  'auth.sso_role': t('Role changed by a provider’s groups'),
  'auth.token_reuse': t('Used session token presented again'),
  'auth.verify_email': t('E-mail verified'),
  'backup.create': t('Backup'),
  'backup.rehearse': t('Rehearsal of a backup'),
  'backup.restore': t('Restore of a backup'),
  'case.create': t('Case created'),
  'case.delete': t('Case deleted'),
  'case.leave': t('Case left'),
  'case.member_add': t('Member added to a case'),
  'case.member_invite': t('Person with an invitation added to a case'),
  'case.member_remove': t('Member removed from a case'),
  'case.member_role': t('Role of a member of a case changed'),
  'case.recording_add': t('Recording added to a case'),
  'case.recording_remove': t('Recording taken out of a case'),
  'case.recordings_add': t('Recordings added to a case'),
  'case.update': t('Case changed'),
  'cli.create': t('User created at the command line'),
  'cli.reset_password': t('Password reset at the command line'),
  'cli.role': t('Role changed at the command line'),
  'cli.unlock': t('Account unlocked at the command line'),
  'hold.lift': t('Legal hold lifted'),
  'hold.set': t('Legal hold set'),
  'invitation.accept': t('Invitation accepted'),
  'invitation.create': t('Person invited'),
  'invitation.import': t('People invited from a CSV file'),
  'invitation.resend': t('Invitation resent'),
  'invitation.revoke': t('Invitation revoked'),
  'library.close': t('Library closed by a reset'),
  'library.export': t('Texts of recordings downloaded'),
  'library.open': t('Library opened again'),
  'library.search': t('Library searched'),
  'log.level': t('Log level changed'),
  'mail.failed': t('Mail could not be sent'),
  'mail.test': t('Test mail'),
  'models.cancel': t('Operation on models cancelled'),
  'models.clear': t('Choice of a model taken back'),
  'models.import': t('Model imported'),
  'models.pull': t('Model downloaded'),
  'models.remove': t('Model removed'),
  'models.remove_import': t('Uploaded model deleted before its import'),
  'models.upload': t('Model uploaded'),
  'models.use': t('Model chosen'),
  'models.verify': t('Model tried'),
  'outbox.read': t('Mail read in the outbox'),
  'outbox.send': t('Mail of the outbox sent'),
  'passkey.rename': t('Passkey renamed'),
  'profile.change_password': t('Password changed'),
  'profile.confirm_password': t('Password confirmed'),
  'profile.notifications': t('Choice of mails changed'),
  'profile.update': t('Profile edited'),
  'recording.delete': t('Recording deleted for good'),
  'recording.edit': t('Recording corrected'),
  'recording.export': t('Recording exported'),
  'recording.listen': t('Recording listened to'),
  'recording.open': t('Recording opened'),
  'recording.rename': t('Recording renamed'),
  'recording.restore': t('Recording restored'),
  'recording.restore_sound': t('Sound of a recording restored from a backup'),
  'recording.tag': t('Tags of a recording changed'),
  'recording.transcribe': t('Transcription asked for'),
  'recording.translate': t('Translation asked for'),
  'recording.trash': t('Recording moved to the trash'),
  'recording.upload': t('Recording uploaded'),
  'retention.case': t('Days of a case changed'),
  'retention.roles': t('Days by role changed'),
  'session.end': t('Session ended'),
  'session.end_all': t('All sessions ended'),
  'support.create': t('Support archive made'),
  'system.cancel': t('Checks or rehearsal cancelled'),
  'system.check': t('Instance checked'),
  'system.rehearse': t('Rehearsal of a backup started'),
  'system.support_archive': t('Support archive downloaded'),
  'two_factor.backup_codes': t('Backup codes replaced'),
  'two_factor.disable': t('Two-factor switched off'),
  'two_factor.enable': t('Two-factor switched on'),
  'two_factor.passkey_added': t('Passkey added'),
  'two_factor.passkey_removed': t('Passkey removed'),
  'two_factor.verify': t('Two-factor code checked'),
  'watch_folder.bind': t('Watch folder assigned to a user or case'),
  'watch_folder.unbind': t('Watch folder unbound'),
  'webhook.change': t('Webhook changed'),
  'webhook.create': t('Webhook added'),
  'webhook.remove': t('Webhook deleted'),
  'webhook.switched_off': t('Webhook switched off after failures'),
  'word_list.case': t('Words and names of a case changed'),
  'word_list.user': t('Own words and names changed'),
}

const { compare } = new Intl.Collator(displayLocale())

/** The actions that a filter offers, sorted by label. */
export const auditActions = Object.keys(actions).toSorted((a, b) => compare(describeAction(a), describeAction(b)))

/** Returns a label, such as `Role changed` for `admin.role`, or the code itself if it has none. */
export function describeAction(action: string): string {
  return actions[action] ?? action
}

export const outcomeLabels = { success: t('Success'), failure: t('Failed'), denied: t('Denied') } as const

const reasons: Record<string, string> = {
  wrong_password: t('wrong password'),
  wrong_code: t('wrong authentication code'),
  changed_meanwhile: t('the account was changed meanwhile'),
  passkey: t('with a passkey'),
  passkey_challenge: t('the passkey came too late, or twice'),
  passkey_counter: t('the passkey may have been copied: its counter went back'),
  passkey_signature: t('the passkey signed wrongly'),
  passkey_unknown: t('unknown passkey'),
  deactivated: t('the account is deactivated'),
  unverified: t('the address is not verified'),
  locked: t('locked after failed attempts'),
  password_expired: t('the temporary password has expired'),
  unknown_user: t('no such name in the directory'),
  several_entries: t('several entries in the directory have this name'),
  directory_expired: t('the account has expired there'),
  directory_disabled: t('the account is disabled there'),
  directory_must_change: t('the password must be changed there'),
  directory_locked: t('the account is locked there'),
  directory_not_now: t('not at this time, or not from here'),
  no_email: t('the provider told no e-mail address'),
  unverified_email: t('the provider has not verified the address'),
  domain: t('the domain of the address may not sign in'),
  group: t('no group that may sign in'),
  no_account: t('has no account here'),
  other_person: t('the account signs in another way'),
  ended: t('took too long, or was used already'),
  removed: t('the provider is offered no more'),
}

/** Describes why a sign-in failed. */
export function describeReason(reason: string | null): string {
  return reason ? (reasons[reason] ?? reason) : t('unknown reason')
}

const roleNames: Record<string, string> = { user: t('User'), admin: t('Admin'), super_admin: t('Super admin') }
const words: Record<string, string> = {
  password_reset: t('password reset'),
  first_name: t('first name'),
  last_name: t('last name'),
}
const nameRole = (role: string) => roleNames[role] ?? role

/** Describes the details of an entry, replacing codes with labels. */
export function describeDetails(details: string): string {
  if (Object.hasOwn(reasons, details)) return describeReason(details)
  // A provider's name, followed by why it rejected the sign-in.
  const [, provider, reason = ''] = /^(.+): ([a-z_]+)$/.exec(details) ?? []
  if (provider && Object.hasOwn(reasons, reason)) return `${provider}: ${describeReason(reason)}`
  const said = describePhrases(details)
  if (said !== details) return said
  return details
    .replaceAll(
      /\b(super_admin|admin|user)(?: to (super_admin|admin|user))?\b(?= to |$)/g,
      (_, before: string, after?: string) =>
        after === undefined
          ? nameRole(before)
          : t('{before} to {after}', { before: nameRole(before), after: nameRole(after) }),
    )
    .replaceAll(/password_reset|\b(?:first|last)_name\b/g, (word) => words[word] ?? word)
}
