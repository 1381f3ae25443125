import { SignInSettings } from '#contract/sign-in-settings.ts'

/** Settings that do not contradict each other, with a sentence for each that does. */
export const ConsistentSignInSettings = SignInSettings.superRefine((settings, context) => {
  const complain = (name: keyof SignInSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if (settings.registration === 'domains' && settings.registration_domains.length === 0) {
    complain('registration_domains', 'Please enter a domain whose addresses may register')
  }
  if (settings.session_idle_hours > settings.session_hours) {
    complain('session_idle_hours', 'An unused session cannot last longer than any session')
  }
  if (settings.remembered_idle_days > settings.remembered_days) {
    complain('remembered_idle_days', 'An unused remembered session cannot last longer than any remembered session')
  }
})
