import { notifications } from '@mantine/notifications'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { formatKeywordFile, keywordFileName } from '#contract/keywords/keyword-file.ts'
import { clearTokens, saveTokens } from '../../shared/api/tokens.ts'
import { captureDownloads } from '../../testing/downloads.ts'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { KeywordsPage } from './keywords-page.tsx'

beforeEach(() => {
  vi.spyOn(notifications, 'show')
})

const record = (keyword: string, sounds_like = false) => ({ id: '0'.repeat(24), keyword, sounds_like })

function renderKeywords(handlers: Parameters<typeof fakeServer>[0] = {}) {
  const saved: unknown[] = []
  const keywords = {
    threats: [record('gun'), record('weapon'), record('lübeck', true)],
    sentiment: [],
    intent: [],
    custom: [],
  }
  fakeServer({
    'GET /api/auth/keywords': () => ({ body: { keywords } }),
    'POST /api/auth/keywords': ({ body }) => {
      saved.push(body)
      return { body: { keywords } }
    },
    ...handlers,
  })
  saveTokens({ access_token: 'a', refresh_token: 'r' })
  const { user } = renderAt('/settings/general', <KeywordsPage />, someUser)
  return { user, saved }
}

it('each keyword has a switch for what sounds like it, except those too short for that', async () => {
  renderKeywords()
  expect(await screen.findByRole('switch', { name: 'Also find what sounds like lübeck' })).toBeChecked()
  expect(screen.getByRole('switch', { name: 'Also find what sounds like weapon' })).not.toBeChecked()
  expect(screen.getByText('gun')).toBeVisible()
  expect(screen.queryByRole('switch', { name: 'Also find what sounds like gun' })).toBeNull()
})

it('the switch is saved with the keywords, and switched off again', async () => {
  const { user, saved } = renderKeywords()
  await user.click(await screen.findByRole('switch', { name: 'Also find what sounds like weapon' }))
  expect(saved.at(-1)).toMatchObject({ keywords: { sounds_like: ['lübeck', 'weapon'] } })
  await user.click(screen.getByRole('switch', { name: 'Also find what sounds like lübeck' }))
  expect(saved.at(-1)).toMatchObject({ keywords: { threats: ['gun', 'weapon', 'lübeck'], sounds_like: ['weapon'] } })
})

describe('the categories', () => {
  const cards = () => within(screen.getByRole('group', { name: 'Categories' })).getAllByRole('button')

  it('have English names with subtitles in Pashto and Urdu, and a count each', async () => {
    renderKeywords()
    await screen.findByRole('textbox', addField)
    expect(cards().map(({ textContent }) => textContent)).toEqual([
      'Threats3ګواښونهدھمکیاں',
      'Sentiment0احساساتجذبات',
      'Intent0نیتارادہ',
      'Custom0اضافياضافی',
    ])
    expect(screen.getByText('ګواښونه')).toHaveAttribute('lang', 'ps')
    expect(screen.getByText('دھمکیاں')).toHaveAttribute('lang', 'ur')
  })

  it('are counted together, begin with Threats, and the chosen one is kept', async () => {
    const { user } = renderKeywords()
    await screen.findByRole('textbox', addField)
    expect(screen.getByRole('heading', { level: 1, name: 'Keyword Settings' })).toBeVisible()
    expect(screen.getByText('3 keywords in all. Active category: Threats.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^Intent/ }))
    expect(screen.getByText('3 keywords in all. Active category: Intent.')).toBeVisible()
    cleanup()
    renderKeywords()
    expect(await screen.findByRole('button', { name: /^Intent/, pressed: true })).toBeVisible()
  })
})

const addField = { name: 'Add keywords to Threats' }

describe('adding keywords', () => {
  it('shows beforehand what will be added, and adds it by Enter', async () => {
    const { user, saved } = renderKeywords()
    await user.type(await screen.findByRole('textbox', addField), 'knife, gun')
    expect(screen.getByText('Will add: knife. Already there: gun.')).toBeVisible()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Added 1 keyword(s) to Threats')).toBeVisible()
    const toast = { message: 'Added 1 keyword(s) to Threats', autoClose: 4000 }
    expect(notifications.show).toHaveBeenCalledWith(expect.objectContaining(toast))
    expect(saved).toMatchObject([{ keywords: { threats: ['gun', 'weapon', 'lübeck', 'knife'] } }])
    expect(screen.getByRole('textbox', addField)).toHaveValue('')
  })

  it('adds several at once by the button', async () => {
    const { user, saved } = renderKeywords()
    await user.type(await screen.findByRole('textbox', addField), 'knife; بم')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Added 2 keyword(s) to Threats')).toBeVisible()
    expect(saved).toMatchObject([{ keywords: { threats: ['gun', 'weapon', 'lübeck', 'knife', 'بم'] } }])
  })

  it('saves nothing where all of them are there already', async () => {
    const { user, saved } = renderKeywords()
    await user.type(await screen.findByRole('textbox', addField), 'gun')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Keywords already exist in this category')).toBeVisible()
    expect(saved).toEqual([])
  })

  it('does nothing where nothing was typed', async () => {
    const { user, saved } = renderKeywords()
    await user.type(await screen.findByRole('textbox', addField), '{Enter}')
    expect(notifications.show).not.toHaveBeenCalled()
    expect(saved).toEqual([])
  })

  it('starts an empty category from the built-in list', async () => {
    const { user, saved } = renderKeywords()
    await user.click(await screen.findByRole('button', { name: /Sentiment/ }))
    expect(screen.getByRole('heading', { name: 'No keywords added yet' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Start from the built-in list' }))
    expect(await screen.findByRole('list', { name: 'Keywords: Sentiment' })).toBeVisible()
    expect(saved).toHaveLength(1)
  })
})

it('a keyword is removed from its category', async () => {
  const { user, saved } = renderKeywords()
  await user.click(await screen.findByRole('button', { name: 'Remove weapon' }))
  const list = within(screen.getByRole('list', { name: 'Keywords: Threats' }))
  await waitFor(() => expect(list.queryByText('weapon')).toBeNull())
  expect(saved).toMatchObject([{ keywords: { threats: ['gun', 'lübeck'] } }])
})

describe('without the server', () => {
  it('serves the copy of this browser and marks it, without a message', async () => {
    const copy = { threats: ['gun'], sentiment: [], intent: [], custom: [], sounds_like: [] }
    localStorage.setItem(`awaz_keywords:${someUser.id}`, JSON.stringify(copy))
    renderKeywords({ 'GET /api/auth/keywords': offline })
    expect(await screen.findByText('Offline Mode')).toBeVisible()
    expect(screen.getByText('gun')).toBeVisible()
    expect(notifications.show).not.toHaveBeenCalled()
  })

  it('keeps a change that could not be saved, reports it and goes offline', async () => {
    const { user } = renderKeywords({ 'POST /api/auth/keywords': () => failure(500) })
    await user.type(await screen.findByRole('textbox', addField), 'knife{Enter}')
    expect(await screen.findByText('Failed to save keywords')).toBeVisible()
    expect(screen.getByText('Offline Mode')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Remove knife' })).toBeVisible()
  })
})

it('a change that the server did not get joins what it has at the next load', async () => {
  const lists = { threats: ['gun'], sentiment: [], intent: [], custom: [], sounds_like: [] }
  localStorage.setItem(`awaz_keywords:${someUser.id}:base`, JSON.stringify(lists))
  localStorage.setItem(`awaz_keywords:${someUser.id}`, JSON.stringify({ ...lists, threats: ['gun', 'knife'] }))
  const { saved } = renderKeywords()
  expect(await screen.findByRole('button', { name: 'Remove knife' })).toBeVisible()
  expect(saved).toMatchObject([{ keywords: { threats: ['gun', 'weapon', 'lübeck', 'knife'] } }])
  expect(localStorage.getItem(`awaz_keywords:${someUser.id}:base`)).toBeNull()
})

it('says so where nobody is signed in any more', async () => {
  const { user } = renderKeywords()
  await screen.findByRole('textbox', addField)
  clearTokens()
  window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' }))
  expect(await screen.findByText('Not Logged In')).toBeVisible()
  await user.type(screen.getByRole('textbox', addField), 'knife{Enter}')
  expect(await screen.findByText('Not authenticated')).toBeVisible()
})

it('a keyword that is too long is named', async () => {
  const { user } = renderKeywords()
  await user.type(await screen.findByRole('textbox', addField), 'a'.repeat(30))
  expect(screen.getByText(/^Nothing to add\. Too long, 30 characters or more: a+\.$/)).toBeVisible()
})

it('the keywords are downloaded as a JSON file with a fixed name', async () => {
  const downloads = captureDownloads()
  const { user } = renderKeywords()
  await screen.findByRole('textbox', addField)
  await user.click(screen.getByRole('button', { name: 'Download' }))
  const lists = { threats: ['gun', 'weapon', 'lübeck'], sentiment: [], intent: [], custom: [], sounds_like: ['lübeck'] }
  expect(downloads).toMatchObject([{ name: keywordFileName, content: { type: 'application/json' } }])
  expect(await downloads[0]?.content.text()).toBe(formatKeywordFile(lists))
})

describe('a keyword file', () => {
  async function choose(text: string) {
    const { user, saved } = renderKeywords()
    await screen.findByRole('textbox', addField)
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('The page takes no file')
    await user.upload(input, new File([text], 'keywords.json', { type: 'application/json' }))
    return { user, saved }
  }

  const file = JSON.stringify({ threats: ['bomb'], sentiment: [], intent: [], custom: [] })

  it('replaces all lists once that is confirmed, and undo brings them back', async () => {
    const { user, saved } = await choose(file)
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace all keywords?' }))
    expect(dialog.getByRole('row', { name: 'Threats 3 1' })).toBeVisible()
    expect(saved).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Replace' }))
    expect(await screen.findByText('Keywords replaced by the file')).toBeVisible()
    expect(saved).toMatchObject([{ keywords: { threats: ['bomb'] } }])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(saved.at(-1)).toMatchObject({ keywords: { threats: ['gun', 'weapon', 'lübeck'] } }))
  })

  it('changes nothing where that is cancelled', async () => {
    const { user, saved } = await choose(file)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(saved).toEqual([])
    expect(screen.getByText('gun')).toBeVisible()
  })

  it('is chosen by the button Upload', async () => {
    renderKeywords()
    expect(await screen.findByRole('button', { name: 'Upload' })).toBeVisible()
    expect(document.querySelector('input[type=file]')).toHaveAttribute('accept', 'application/json,.json')
  })

  it('is refused where it is no such file', async () => {
    const { saved } = await choose('not a keyword file')
    expect(await screen.findByText('Invalid file format')).toBeVisible()
    expect(saved).toEqual([])
  })
})
