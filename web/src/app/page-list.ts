/** Who sees a page: `public` everyone, `user` anyone signed in; admin pages show Access Denied to others. */
export type PageAccess = 'public' | 'user' | 'admin' | 'super_admin'

/** Every page of the product: those of the accounts specification, section 2, and others. The router and the browser tests read it. */
export const pageList = {
  dashboard: { path: '/dashboard', access: 'user' },
  upload: { path: '/upload', access: 'user' },
  trash: { path: '/trash', access: 'user' },
  transcribe: { path: '/transcribe', access: 'user' },
  print: { path: '/transcribe/print', access: 'user' },
  terms: { path: '/terms', access: 'public' },
  privacy: { path: '/privacy', access: 'public' },
  support: { path: '/support', access: 'public' },
  search: { path: '/search', access: 'user' },
  cases: { path: '/cases', access: 'user' },
  alerts: { path: '/alerts', access: 'user' },
  profile: { path: '/settings/profile', access: 'user' },
  security: { path: '/settings/security', access: 'user' },
  preferences: { path: '/settings/preferences', access: 'user' },
  keywords: { path: '/settings/general', access: 'user' },
  integrations: { path: '/settings/integrations', access: 'user' },
  overview: { path: '/admin/overview', access: 'admin' },
  admin: { path: '/admin', access: 'admin' },
  superAdmin: { path: '/super-admin', access: 'super_admin' },
  adminUser: { path: '/admin/user', access: 'admin' },
  invitations: { path: '/admin/invitations', access: 'admin' },
  sessions: { path: '/admin/sessions', access: 'admin' },
  signInSettings: { path: '/admin/sign-in', access: 'super_admin' },
  verifyEmail: { path: '/verify-email', access: 'public' },
  registrationTwoFactor: { path: '/registration-2fa', access: 'public' },
  resetPassword: { path: '/reset-password', access: 'public' },
  acceptInvitation: { path: '/invitation', access: 'public' },
  stopAddressChange: { path: '/stop-address-change', access: 'public' },
  sso: { path: '/sso', access: 'public' },
  audit: { path: '/admin/audit', access: 'admin' },
  retention: { path: '/admin/retention', access: 'admin' },
  system: { path: '/admin/system', access: 'admin' },
  watchFolder: { path: '/admin/watch-folder', access: 'admin' },
  models: { path: '/admin/system/models', access: 'super_admin' },
  outbox: { path: '/super-admin/outbox', access: 'super_admin' },
} as const satisfies Record<string, { path: string; access: PageAccess }>

export type PageName = keyof typeof pageList

/** Paths that only redirect (accounts specification, section 2). */
export const redirects = [
  { from: '/', to: '/dashboard' },
  { from: '/translate', to: '/transcribe' },
] as const

/** Addresses of the authentication screen. */
export const authPaths = ['/login', '/signup'] as const
