import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { useSession } from '../shared/session/session.ts'
import { Gate } from './gate.tsx'
import { pageList, redirects, authPaths, type PageAccess, type PageName } from './page-list.ts'
import { AuthPage, pageComponents, Shell } from './pages.ts'
import { FullScreenLoader } from './full-screen-loader.tsx'

/** Every address of the app; unknown addresses lead to /dashboard (accounts specification, section 2). */
export function AppRoutes() {
  return (
    <Suspense fallback={<FullScreenLoader label={t('Loading')} />}>
      <Routes>
        {redirects.map(({ from, to }) => (
          <Route key={from} path={from} element={<Navigate to={to} replace />} />
        ))}
        {authPaths.map((path) => (
          <Route key={path} path={path} element={<Screen />} />
        ))}
        {namesOf(pageList).map((name) => (
          <Route key={name} path={pageList[name].path} element={<Screen name={name} />} />
        ))}
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </Suspense>
  )
}

/** Pages that fill the whole screen, without header and footer. */
const bareNames: ReadonlySet<string> = new Set([
  'verifyEmail',
  'registrationTwoFactor',
  'resetPassword',
  'acceptInvitation',
  'stopAddressChange',
  'sso',
  'print',
])

/**
 * A page or, without a name, the authentication screen. One component for both: a user typing into the sign-in form shown instead of a page
 * keeps the form when the address changes to /login.
 */
function Screen({ name }: { name?: PageName }) {
  const session = useSession()
  if (!name && session.status === 'signed_in') return <Navigate to="/" replace />
  const page = name ? <Page name={name} /> : <AuthPage />
  return name && isPublic(name) ? page : <Gate>{page}</Gate>
}

function Page({ name }: { name: PageName }) {
  const Component = pageComponents[name]
  if (bareNames.has(name)) return <Component />
  return (
    <Shell>
      <Component />
    </Shell>
  )
}

function isPublic(name: PageName): boolean {
  const access: PageAccess = pageList[name].access
  return access === 'public'
}

function namesOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[] // a constant object has no other keys
}
