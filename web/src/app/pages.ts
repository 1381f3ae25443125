import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { PageName } from './page-list.ts'

type LazyPage = LazyExoticComponent<ComponentType>

/** One chunk a page. */
export const pageComponents: Record<PageName, LazyPage> = {
  dashboard: lazy(async () => ({ default: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage })),
  upload: lazy(async () => ({ default: (await import('../features/upload/upload-page.tsx')).UploadPage })),
  transcribe: lazy(async () => ({ default: (await import('../features/workspace/workspace-page.tsx')).WorkspacePage })),
  print: lazy(async () => ({
    default: (await import('../features/workspace/exports/print-page.tsx')).PrintPage,
  })),
  terms: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).TermsPage })),
  privacy: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).PrivacyPage })),
  support: lazy(async () => ({ default: (await import('../features/documents/document-pages.tsx')).SupportPage })),
  profile: lazy(async () => ({ default: (await import('../features/profile/profile-page.tsx')).ProfilePage })),
  security: lazy(async () => ({ default: (await import('../features/security/security-page.tsx')).SecurityPage })),
  preferences: lazy(async () => ({
    default: (await import('../features/preferences/preferences-page.tsx')).PreferencesPage,
  })),
  keywords: lazy(async () => ({ default: (await import('../features/keywords/keywords-page.tsx')).KeywordsPage })),
  admin: lazy(async () => ({ default: (await import('../features/admin/admin-page.tsx')).AdminPage })),
  superAdmin: lazy(async () => ({ default: (await import('../features/admin/super-admin-page.tsx')).SuperAdminPage })),
  verifyEmail: lazy(async () => ({
    default: (await import('../features/auth/verify-email-page.tsx')).VerifyEmailPage,
  })),
  registrationTwoFactor: lazy(async () => ({
    default: (await import('../features/auth/registration-two-factor-page.tsx')).RegistrationTwoFactorPage,
  })),
  resetPassword: lazy(async () => ({
    default: (await import('../features/auth/reset-password-page.tsx')).ResetPasswordPage,
  })),
  audit: lazy(async () => ({ default: (await import('../features/admin/audit-page.tsx')).AuditPage })),
  system: lazy(async () => ({ default: (await import('../features/system/system-page.tsx')).SystemPage })),
  models: lazy(async () => ({ default: (await import('../features/system/models/models-page.tsx')).ModelsPage })),
  outbox: lazy(async () => ({ default: (await import('../features/admin/outbox-page.tsx')).OutboxPage })),
}

/** Header and footer come with the first page behind sign-in. */
export const Shell = lazy(async () => ({ default: (await import('./shell/shell.tsx')).Shell }))

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
