import { Button, Loader, Text, Title } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import classes from './page.module.css'

interface NoticeProps {
  title: string
  children?: ReactNode
  icon?: ReactNode
  tone?: 'plain' | 'error'
  action?: ReactNode
}

/** Fills a screen or panel that has nothing to show with the reason and what to do about it. */
export function Notice({ title, children, icon, tone = 'plain', action }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} {...(tone === 'error' && { role: 'alert' })}>
      {icon && (
        <div className={classes.noticeIcon} data-tone={tone} aria-hidden>
          {icon}
        </div>
      )}
      <Title order={2}>{title}</Title>
      {children && (
        <Text c="dimmed" maw="52ch" component="div">
          {children}
        </Text>
      )}
      {action}
    </div>
  )
}

/** Shows that something is loading. */
export function LoadingNotice({ label }: { label: string }) {
  return (
    <div className={classes.notice} role="status">
      <Loader size="sm" type="bars" aria-hidden />
      <Text c="dimmed">{label}</Text>
    </div>
  )
}

/** Shows that something could not be loaded, with a retry button. */
export function ErrorNotice({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Notice
      title={t('Error')}
      tone="error"
      icon={<IconAlertTriangle size={22} stroke={1.5} />}
      action={
        <Button variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    >
      {message}
    </Notice>
  )
}

/** Shows that the user's role does not permit opening this screen. */
export function AccessDenied({ children }: { children: ReactNode }) {
  return (
    <Notice
      title={t('Access Denied')}
      tone="error"
      icon={<IconLock size={22} stroke={1.5} />}
      action={
        <Button component={Link} to="/dashboard" variant="default">
          {t('Go to Dashboard')}
        </Button>
      }
    >
      {children}
    </Notice>
  )
}
