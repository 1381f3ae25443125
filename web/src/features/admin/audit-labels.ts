/** Labels for the action codes of the audit trail. The API and the CSV keep the codes. */
const actions: Record<string, string> = {
  'access.denied': 'Access denied',
  'address_change.apply': 'New address in effect',
  'address_change.stop': 'New address stopped',
  'admin.activate': 'User activated',
  'admin.create': 'User created',
  'admin.deactivate': 'User deactivated',
  'admin.delete': 'User deleted',
  'admin.end_session': 'Session ended by an admin',
  'admin.export_users': 'List of users downloaded',
  'admin.provider_create': 'Sign-in provider added',
  'admin.provider_delete': 'Sign-in provider removed',
  'admin.provider_test': 'Sign-in provider tested',
  'admin.provider_update': 'Sign-in provider changed',
  'admin.reset_2fa': 'Two-factor reset by an admin',
  'admin.reset_password': 'Password reset by an admin',
  'admin.revoke_sessions': 'Sessions revoked',
  'admin.role': 'Role changed',
  'admin.sign_in_settings': 'Sign-in settings changed',
  'admin.unlock': 'Account unlocked',
  'admin.update': 'User edited',
  'api_key.create': 'API key created',
  'api_key.new_address': 'API key used from a new address',
  'api_key.revoke': 'API key revoked',
  'audit.export': 'Audit trail downloaded',
  'auth.forgot_password': 'Password reset asked for',
  'auth.reset_code': 'Reset code checked',
  'auth.reset_link': 'Reset link checked',
  'auth.reset_password': 'Password reset by mail',
  'auth.signin': 'Sign-in',
  'auth.signout': 'Sign-out',
  'auth.signup': 'Registration',
  'auth.sso_create': 'Account created by a provider',
  'auth.sso_link': 'Account linked to a provider',
  'auth.sso_role': 'Role changed by a provider’s groups',
  'auth.token_reuse': 'Used session token presented again',
  'auth.verify_email': 'E-mail verified',
  'case.create': 'Case created',
  'case.delete': 'Case deleted',
  'case.leave': 'Case left',
  'case.member_add': 'Member added to a case',
  'case.member_remove': 'Member removed from a case',
  'case.member_role': 'Role of a member of a case changed',
  'case.recording_remove': 'Recording taken out of a case',
  'case.recordings_add': 'Recordings added to a case',
  'case.update': 'Case changed',
  'cli.create': 'User created at the command line',
  'cli.reset_password': 'Password reset at the command line',
  'cli.role': 'Role changed at the command line',
  'cli.unlock': 'Account unlocked at the command line',
  'hold.lift': 'Legal hold lifted',
  'hold.set': 'Legal hold set',
  'invitation.accept': 'Invitation accepted',
  'invitation.create': 'Person invited',
  'invitation.import': 'People invited from a CSV file',
  'invitation.resend': 'Invitation resent',
  'invitation.revoke': 'Invitation revoked',
  'library.close': 'Library closed by a reset',
  'library.export': 'Texts of recordings downloaded',
  'library.open': 'Library opened again',
  'mail.failed': 'Mail could not be sent',
  'mail.test': 'Test mail',
  'models.cancel': 'Operation on models cancelled',
  'models.clear': 'Choice of a model taken back',
  'models.import': 'Model imported',
  'models.pull': 'Model downloaded',
  'models.remove': 'Model removed',
  'models.remove_import': 'Uploaded model deleted before its import',
  'models.upload': 'Model uploaded',
  'models.use': 'Model chosen',
  'models.verify': 'Model tried',
  'outbox.read': 'Mail read in the outbox',
  'outbox.send': 'Mail of the outbox sent',
  'passkey.rename': 'Passkey renamed',
  'profile.change_password': 'Password changed',
  'profile.confirm_password': 'Password confirmed',
  'profile.notifications': 'Choice of mails changed',
  'profile.update': 'Profile edited',
  'recording.edit': 'Recording of a case corrected',
  'recording.export': 'Recording of a case exported',
  'recording.open': 'Recording of a case opened',
  'retention.case': 'Days of a case changed',
  'retention.roles': 'Days by role changed',
  'session.end': 'Session ended',
  'session.end_all': 'All sessions ended',
  'two_factor.backup_codes': 'Backup codes replaced',
  'two_factor.disable': 'Two-factor switched off',
  'two_factor.enable': 'Two-factor switched on',
  'two_factor.passkey_added': 'Passkey added',
  'two_factor.passkey_removed': 'Passkey removed',
  'two_factor.verify': 'Two-factor code checked',
  'watch_folder.bind': 'Watch folder assigned to a user or case',
  'watch_folder.unbind': 'Watch folder unbound',
  'webhook.change': 'Webhook changed',
  'webhook.create': 'Webhook added',
  'webhook.remove': 'Webhook deleted',
  'webhook.switched_off': 'Webhook switched off after failures',
  'word_list.case': 'Words and names of a case changed',
  'word_list.user': 'Own words and names changed',
}

/** The actions that a filter offers, sorted by label. */
export const auditActions = Object.keys(actions).toSorted((a, b) => describeAction(a).localeCompare(describeAction(b)))

/** `Role changed` for `admin.role`; the code itself where it has no label. */
export function describeAction(action: string): string {
  return actions[action] ?? action
}

export const outcomeLabels = { success: 'Success', failure: 'Failed', denied: 'Denied' } as const

const reasons: Record<string, string> = {
  wrong_password: 'wrong password',
  wrong_code: 'wrong authentication code',
  changed_meanwhile: 'the account was changed meanwhile',
  passkey: 'with a passkey',
  passkey_challenge: 'the passkey came too late, or twice',
  passkey_counter: 'the passkey may have been copied: its counter went back',
  passkey_signature: 'the passkey signed wrongly',
  passkey_unknown: 'unknown passkey',
  deactivated: 'the account is deactivated',
  unverified: 'the address is not verified',
  locked: 'locked after failed attempts',
  password_expired: 'the temporary password has expired',
  unknown_user: 'no such name in the directory',
  several_entries: 'several entries in the directory have this name',
  directory_expired: 'the account has expired there',
  directory_disabled: 'the account is disabled there',
  directory_must_change: 'the password must be changed there',
  directory_locked: 'the account is locked there',
  directory_not_now: 'not at this time, or not from here',
  no_email: 'the provider told no e-mail address',
  unverified_email: 'the provider has not verified the address',
  domain: 'the domain of the address may not sign in',
  group: 'no group that may sign in',
  no_account: 'has no account here',
  other_person: 'the account signs in another way',
  ended: 'took too long, or was used already',
  removed: 'the provider is offered no more',
}

/** Describes why a sign-in failed. */
export function describeReason(reason: string | null): string {
  return reason ? (reasons[reason] ?? reason) : 'unknown reason'
}

const roleNames: Record<string, string> = { user: 'User', admin: 'Admin', super_admin: 'Super admin' }

/** Describes the details of an entry, with labels for the codes among them. */
export function describeDetails(details: string): string {
  if (Object.hasOwn(reasons, details)) return describeReason(details)
  // Of a provider: its name, and why it did not let somebody in.
  const [, provider, reason = ''] = /^(.+): ([a-z_]+)$/.exec(details) ?? []
  if (provider && Object.hasOwn(reasons, reason)) return `${provider}: ${describeReason(reason)}`
  return details
    .replaceAll(/\b(?:super_admin|admin|user)\b(?= to |$)/g, (role) => roleNames[role] ?? role)
    .replaceAll('password_reset', 'password reset')
    .replaceAll(/\b(first|last)_name\b/g, '$1 name')
}
