import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { PageName } from './page-list.ts'
import { preloadable } from './preloadable.tsx'

type LazyPage = LazyExoticComponent<ComponentType> | ComponentType

/** The home page, which is loaded while the session is checked. */
const home = preloadable(async () => (await import('../features/library/library-page.tsx')).LibraryPage)

/** Header and footer are loaded with the first page behind sign-in. */
const shell = preloadable(async () => (await import('./shell/shell.tsx')).Shell)

export const Shell = shell.Component
export const preloadShell = shell.preload
export const preloadLibrary = home.preload

/** One chunk per page. */
export const pageComponents: Record<PageName, LazyPage> = {
  dashboard: home.Component,
  upload: lazy(async () => ({ default: (await import('../features/upload/upload-page.tsx')).UploadPage })),
  trash: lazy(async () => ({ default: (await import('../features/trash/trash-page.tsx')).TrashPage })),
  transcribe: lazy(async () => ({ default: (await import('../features/workspace/workspace-page.tsx')).WorkspacePage })),
  print: lazy(async () => ({
    default: (await import('../features/workspace/exports/print-page.tsx')).PrintPage,
  })),
  terms: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).TermsPage })),
  privacy: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).PrivacyPage })),
  support: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).SupportPage })),
  search: lazy(async () => ({ default: (await import('../features/search/search-page.tsx')).SearchPage })),
  cases: lazy(async () => ({ default: (await import('../features/cases/cases-page.tsx')).CasesPage })),
  alerts: lazy(async () => ({ default: (await import('../features/alerts/alerts-page.tsx')).AlertsPage })),
  profile: lazy(async () => ({ default: (await import('../features/profile/profile-page.tsx')).ProfilePage })),
  security: lazy(async () => ({ default: (await import('../features/security/security-page.tsx')).SecurityPage })),
  preferences: lazy(async () => ({
    default: (await import('../features/preferences/preferences-page.tsx')).PreferencesPage,
  })),
  keywords: lazy(async () => ({ default: (await import('../features/keywords/keywords-page.tsx')).KeywordsPage })),
  integrations: lazy(async () => ({
    default: (await import('../features/integrations/integrations-page.tsx')).IntegrationsPage,
  })),
  overview: lazy(async () => ({ default: (await import('../features/admin/overview-page.tsx')).OverviewPage })),
  admin: lazy(async () => ({ default: (await import('../features/admin/admin-page.tsx')).AdminPage })),
  superAdmin: lazy(async () => ({ default: (await import('../features/admin/super-admin-page.tsx')).SuperAdminPage })),
  adminUser: lazy(async () => ({ default: (await import('../features/admin/user-page.tsx')).UserPage })),
  invitations: lazy(async () => ({
    default: (await import('../features/people/invitations-page.tsx')).InvitationsPage,
  })),
  sessions: lazy(async () => ({ default: (await import('../features/admin/sessions-page.tsx')).SessionsPage })),
  signInSettings: lazy(async () => ({
    default: (await import('../features/people/sign-in-settings-page.tsx')).SignInSettingsPage,
  })),
  verifyEmail: lazy(async () => ({
    default: (await import('../features/auth/verify-email-page.tsx')).VerifyEmailPage,
  })),
  registrationTwoFactor: lazy(async () => ({
    default: (await import('../features/auth/registration-two-factor-page.tsx')).RegistrationTwoFactorPage,
  })),
  resetPassword: lazy(async () => ({
    default: (await import('../features/auth/reset-password-page.tsx')).ResetPasswordPage,
  })),
  acceptInvitation: lazy(async () => ({
    default: (await import('../features/auth/accept-invitation-page.tsx')).AcceptInvitationPage,
  })),
  stopAddressChange: lazy(async () => ({
    default: (await import('../features/auth/stop-email-change-page.tsx')).StopEmailChangePage,
  })),
  sso: lazy(async () => ({ default: (await import('../features/auth/sso-page.tsx')).SsoPage })),
  audit: lazy(async () => ({ default: (await import('../features/admin/audit-page.tsx')).AuditPage })),
  retention: lazy(async () => ({ default: (await import('../features/retention/retention-page.tsx')).RetentionPage })),
  system: lazy(async () => ({ default: (await import('../features/system/system-page.tsx')).SystemPage })),
  watchFolder: lazy(async () => ({
    default: (await import('../features/system/watch-folder/watch-folder-page.tsx')).WatchFolderPage,
  })),
  models: lazy(async () => ({ default: (await import('../features/system/models/models-page.tsx')).ModelsPage })),
  outbox: lazy(async () => ({ default: (await import('../features/admin/outbox-page.tsx')).OutboxPage })),
}

export const AuthPage: LazyPage = lazy(async () => ({
  default: (await import('../features/auth/auth-page.tsx')).AuthPage,
}))

export const ForcedPasswordPage: LazyPage = lazy(async () => ({
  default: (await import('../features/security/forced-password-page.tsx')).ForcedPasswordPage,
}))

export const VerificationRequiredPage: LazyPage = lazy(async () => ({
  default: (await import('../features/security/verification-required-page.tsx')).VerificationRequiredPage,
}))

export const TwoFactorRequiredPage: LazyPage = lazy(async () => ({
  default: (await import('../features/security/two-factor-required-page.tsx')).TwoFactorRequiredPage,
}))

export const LibraryClosedPage = lazy(async () => ({
  default: (await import('../features/security/library-closed-page.tsx')).LibraryClosedPage,
}))
