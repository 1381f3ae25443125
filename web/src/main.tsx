import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/noto-naskh-arabic/wght.css'
import '@fontsource-variable/noto-nastaliq-urdu/wght.css'
import '@mantine/core/styles.css'
import './app/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { config as configureZod } from 'zod'
import { describeIssue } from '#contract/input-errors.ts'
import { AppRoutes } from './app/app-routes.tsx'
import { Providers } from './app/app.tsx'
import { shareNonce } from './app/nonce.ts'
import { preloadHome } from './app/preload-home.ts'
import { createQueryClient } from './app/query-client.ts'
import { SessionWatch } from './app/session-watch.tsx'
import { typeWesternDigits } from './shared/form/type-western-digits.ts'

// The content security policy forbids compiling text to code, which zod would otherwise attempt for speed.
configureZod({ jitless: true, customError: describeIssue })
shareNonce()
preloadHome()
typeWesternDigits(document)

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <Providers client={createQueryClient()}>
      <BrowserRouter>
        <SessionWatch />
        <AppRoutes />
      </BrowserRouter>
    </Providers>
  </StrictMode>,
)
