import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { NotificationSettings } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { PreferencesPage } from './preferences-page.tsx'

const path = '/api/auth/notifications'

function show({ isAway = false } = {}) {
  const server = { stored: { email: true, security_alerts: true } }
  fakeServer({
    [`GET ${path}`]: () => ({ body: server.stored }),
    [`PUT ${path}`]: ({ body }) => {
      if (isAway) return failure(503, 'Away')
      server.stored = NotificationSettings.parse(body)
      return { body: server.stored }
    },
    'GET /api/languages': () => failure(503),
  })
  const { user } = renderAt('/settings/preferences', <PreferencesPage />, someUser)
  return { user, server }
}

const readStored = () => JSON.parse(localStorage.getItem('awaz_settings') ?? '{}')
const toggle = (name: string) => screen.getByRole('switch', { name })

function allowNotifications(permission: NotificationPermission, answer: NotificationPermission) {
  vi.stubGlobal('isSecureContext', true)
  const requestPermission = vi.fn<() => Promise<NotificationPermission>>(() => Promise.resolve(answer))
  vi.stubGlobal('Notification', { permission, requestPermission })
  return requestPermission
}

describe('the settings', () => {
  it.each([
    ['Play automatically', { audio: { autoPlay: true } }],
    ['Save automatically', { transcription: { autoSave: false } }],
    ['Show timestamps', { transcription: { showTimestamps: false } }],
    ['Highlight keywords', { transcription: { highlightKeywords: false } }],
    ['Translate automatically', { translation: { autoTranslate: true } }],
    ['Show the original', { translation: { showOriginal: false } }],
    ['When a transcription has ended', { notifications: { transcriptionComplete: false } }],
    ['When a translation has ended', { notifications: { translationComplete: false } }],
  ])('"%s" is saved at once', async (name, changed) => {
    const { user } = show()
    await user.click(toggle(name))
    expect(readStored()).toMatchObject(changed)
  })

  it('the theme acts at once', async () => {
    const { user } = show()
    await user.click(screen.getByRole('radio', { name: 'Dark' }))
    expect(readStored()).toMatchObject({ theme: 'dark' })
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  it('go back to their defaults, and come back by undo', async () => {
    const { user } = show()
    await user.click(toggle('Show timestamps'))
    await user.click(screen.getByRole('button', { name: 'Reset to defaults' }))
    expect(toggle('Show timestamps')).toBeChecked()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(toggle('Show timestamps')).not.toBeChecked()
  })
})

describe('mails', () => {
  it('are chosen at the server', async () => {
    const { user, server } = show()
    await user.click(toggle('Mail when a long job has ended'))
    await waitFor(() => expect(server.stored).toEqual({ email: false, security_alerts: true }))
    await user.click(toggle('Security alerts by mail'))
    await waitFor(() => expect(server.stored).toEqual({ email: false, security_alerts: false }))
    expect(readStored()).toMatchObject({ notifications: { email: false, securityAlerts: false } })
  })

  it('stay as the server has them where it refused', async () => {
    const { user } = show({ isAway: true })
    await user.click(toggle('Security alerts by mail'))
    expect(await screen.findByText('Away')).toBeVisible()
    await waitFor(() => expect(toggle('Security alerts by mail')).toBeChecked())
  })
})

describe('notifications of the browser', () => {
  it('are asked for when they are switched on, and a refusal is told', async () => {
    const requestPermission = allowNotifications('default', 'denied')
    const { user } = show()
    await user.click(toggle('Notifications of the browser'))
    expect(requestPermission).not.toHaveBeenCalled()
    await user.click(toggle('Notifications of the browser'))
    expect(requestPermission).toHaveBeenCalledOnce()
    expect(await screen.findByText(/^This browser blocks notifications of Awaz/)).toBeVisible()
  })

  it('can be allowed later', async () => {
    const requestPermission = allowNotifications('default', 'granted')
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Allow' }))
    expect(requestPermission).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByText('This browser has not been asked yet.')).toBeNull())
  })

  it('are said to need https', () => {
    vi.stubGlobal('isSecureContext', false)
    show()
    expect(screen.getByText('This browser shows notifications only over https.')).toBeVisible()
  })
})
