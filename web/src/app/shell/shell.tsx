import { Anchor, Button, Group, MantineThemeProvider, Stack } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Suspense, useState, type ReactNode, lazy, useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { t } from '#contract/texts/t.ts'
import type { User } from '#contract/entities/user.ts'
import { useSession } from '../../shared/session/session.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { LoadingNotice } from '../../shared/ui/notice.tsx'
import { DropOverlay } from '../../shared/uploads/drop-overlay.tsx'
import { UploadStatus } from '../../shared/uploads/upload-status.tsx'
import { pageList } from '../page-list.ts'
import { PageHeadContext } from '../../shared/ui/page-head.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import classes from './shell.module.css'
import { menuTheme } from './menu-theme.ts'
import { ModelProblems } from './model-problems.tsx'
import { NavigationMenu, NavigationRail } from './navigation.tsx'
import { PrintedCodesWarning } from './printed-codes-warning.tsx'
import { RatePauseNotice } from './rate-pause-notice.tsx'
import { TwoFactorReminder } from './two-factor-reminder.tsx'
import { UserMenu } from './user-menu.tsx'

const footerLinks = [
  { to: '/terms', label: t('Terms of Service') },
  { to: '/privacy', label: t('Privacy Policy') },
  { to: '/support', label: t('Support') },
]

/** Pages that already have their own upload. */
const pagesWithUpload: ReadonlySet<string> = new Set([pageList.dashboard.path, pageList.upload.path])

/** Header, page and footer, together as high as the window if the page has `data-fills-screen`. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const { pathname } = useLocation()
  const [headPlace, setHeadPlace] = useState<HTMLElement | null>(null)
  return (
    <MantineThemeProvider theme={menuTheme}>
      <div className={classes.shell}>
        <a href="#content" className={classes.skip}>
          {t('Skip to content')}
        </a>
        <header className={classes.header}>
          {session.status === 'signed_in' && <NavigationMenu user={session.user} />}
          <Link to="/dashboard" className={classes.home} aria-label={t('Awaz, to the library')}>
            <Logo />
          </Link>
          <div ref={setHeadPlace} className={classes.pageHead} />
          <div className={classes.right}>
            {session.status === 'signed_in' && (
              <>
                <UploadStatus />
                {!pagesWithUpload.has(pathname) && (
                  <Button
                    component={Link}
                    to="/upload"
                    variant="default"
                    size="sm"
                    leftSection={<IconPlus size={16} stroke={1.75} />}
                    className={classes.new}
                    aria-label={t('New recording')}
                  >
                    <span className={classes.newLabel}>{t('New recording')}</span>
                  </Button>
                )}
                <PaletteLauncher user={session.user} />
                <UserMenu user={session.user} />
              </>
            )}
            {session.status === 'anonymous' && (
              <Button component={Link} to="/login" variant="default" size="sm">
                {t('Sign In')}
              </Button>
            )}
          </div>
        </header>
        {/* That page takes model files. */}
        {session.status === 'signed_in' && pathname !== pageList.models.path && <DropOverlay />}
        <Group gap={0} align="stretch" wrap="nowrap" flex={1} mih={0}>
          {session.status === 'signed_in' && <NavigationRail user={session.user} />}
          <Stack gap={0} flex={1} miw={0}>
            <RatePauseNotice />
            {session.status === 'signed_in' && session.user.role !== 'user' && (
              <ModelProblems canManage={session.user.role === 'super_admin'} />
            )}
            {session.status === 'signed_in' && <TwoFactorReminder user={session.user} />}
            {session.status === 'signed_in' && <PrintedCodesWarning user={session.user} />}
            <main id="content" tabIndex={-1} className={classes.main}>
              <PageHeadContext value={headPlace}>
                <Suspense fallback={<LoadingNotice label={t('Loading')} />}>{children}</Suspense>
              </PageHeadContext>
            </main>
            <footer className={classes.footer}>
              <span>{t('Awaz · Transcribe & Translate')}</span>
              <nav aria-label={t('About Awaz')} className={classes.footerLinks}>
                {footerLinks.map(({ to, label }) => (
                  <Anchor key={to} component={Link} to={to} c="dimmed" size="sm">
                    {label}
                  </Anchor>
                ))}
              </nav>
            </footer>
          </Stack>
        </Group>
      </div>
    </MantineThemeProvider>
  )
}

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** Opens the command palette by button or Ctrl-K, loading it the first time. */
function PaletteLauncher({ user }: { user: User }) {
  const [requestCount, setRequestCount] = useState(0)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // By the key's position: the letter differs on a Pashto keyboard layout.
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setRequestCount((count) => count + 1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <span className={classes.button}>
        <IconButton
          label={t('Command palette (Ctrl K)')}
          size="lg"
          onClick={() => setRequestCount((count) => count + 1)}
        >
          <IconSearch size={20} stroke={1.5} />
        </IconButton>
      </span>
      {requestCount > 0 && (
        <Suspense>
          <CommandPalette user={user} requestCount={requestCount} />
        </Suspense>
      )}
    </>
  )
}
