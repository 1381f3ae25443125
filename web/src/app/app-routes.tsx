import { Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { useSession } from '../shared/session/session.ts'
import { Gate } from './gate.tsx'
import { pageList, redirects, authPaths, type PageAccess } from './page-list.ts'
import { AuthPage, pageComponents, Shell } from './pages.ts'
import { FullScreenLoader } from './full-screen-loader.tsx'

/** Every address of the app; what no page owns leads to /dashboard (accounts specification, section 2). */
export function AppRoutes() {
  return (
    <Suspense fallback={<FullScreenLoader label="Loading" />}>
      <Routes>
        {redirects.map(({ from, to }) => (
          <Route key={from} path={from} element={<Navigate to={to} replace />} />
        ))}
        {authPaths.map((path) => (
          <Route key={path} path={path} element={<AuthRoute />} />
        ))}
        {namesOf(pageList).map((name) => (
          <Route key={name} path={pageList[name].path} element={<PageRoute name={name} />} />
        ))}
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </Suspense>
  )
}

/** Pages that fill the screen by themselves, without header and footer. */
const bareNames: ReadonlySet<string> = new Set([
  'verifyEmail',
  'registrationTwoFactor',
  'resetPassword',
  'acceptInvitation',
  'sso',
  'print',
])

function PageRoute({ name }: { name: keyof typeof pageList }) {
  const Component = pageComponents[name]
  const access: PageAccess = pageList[name].access
  const isBare = bareNames.has(name)
  if (access === 'public') {
    if (isBare) return <Component />
    return (
      <Shell>
        <Component />
      </Shell>
    )
  }
  return (
    <Gate>
      {isBare ? (
        <Component />
      ) : (
        <Shell>
          <Component />
        </Shell>
      )}
    </Gate>
  )
}

/** The authentication screen, or the home page for whoever is signed in already. */
function AuthRoute() {
  const session = useSession()
  if (session.status === 'signed_in') return <Navigate to="/" replace />
  return (
    <Gate>
      <AuthPage />
    </Gate>
  )
}

function namesOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[] // the keys of a constant object are its keys
}
