import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure } from '../../testing/fake-server.ts'
import { findRow, makeListed, renderLibrary, respondWithPage } from '../../testing/library.tsx'

const three = [1, 2, 3].map((number) => makeListed(number))

describe('the library', () => {
  it.each([
    [0, 'Drop a recording to begin. It stays on this server.'],
    [1, 'Drop a recording to begin. It stays on this server and is deleted after a day.'],
    [30, 'Drop a recording to begin. It stays on this server and is deleted after 30 days.'],
  ])('without recordings and with a retention of %i days reads: %s', async (days, text) => {
    renderLibrary([], { 'GET /api/retention': () => ({ body: { days, has_case_days: false } }) })
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByLabelText('Recordings to upload')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Recent Activity' })).toBeNull()
  })

  it('says how long recordings of the reader are kept, and that cases may have other periods', async () => {
    renderLibrary(three, { 'GET /api/retention': () => ({ body: { days: 30, has_case_days: true } }) })
    expect(await screen.findByText(/ · kept for 30 days · some cases have other periods$/)).toBeVisible()
  })

  it('without recordings shows what the product does: three features', async () => {
    renderLibrary([])
    expect(await screen.findByRole('heading', { level: 1, name: 'Transcribe & Translate' })).toBeVisible()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Two speakers, kept apart',
      'Translated line by line',
      'Scanned for your keywords',
    ])
  })

  it('without own recordings leads a member of cases to them before it calls for an upload', async () => {
    const shared = {
      id: 'c'.repeat(24),
      name: 'Bridge',
      colour: 'teal',
      role: 'view',
      owner: { id: 'd'.repeat(24), name: 'Gulalai' },
      member_count: 2,
      recording_count: 12,
      created_at: '2026-11-02T10:00:00.000Z',
      updated_at: '2026-11-02T10:00:00.000Z',
    }
    renderLibrary([], {
      'GET /api/cases': () => ({ body: { cases: [shared], total: 1, page: 1, per_page: 10, pages: 1 } }),
    })
    const cases = await screen.findByRole('region', { name: 'Your cases' })
    expect(within(cases).getByRole('link', { name: 'Bridge' })).toHaveAttribute('href', `/cases?case=${shared.id}`)
    expect(cases).toHaveTextContent('12 recordings')
    const upload = screen.getByLabelText('Recordings to upload')
    expect(cases.compareDocumentPosition(upload) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('says of each recording what it is, what was found in it and what is done with it', async () => {
    const recording = makeListed(7, {
      name: 'د سبا غږ.wav',
      languages: ['ps', 'en'],
      language: 'ps',
      target_languages: ['ur'],
      tags: ['border', 'north', 'urgent', 'convoy'],
      hits: { threats: 3, sentiment: 0, intent: 1, custom: 0 },
      state: 'done',
    })
    renderLibrary([recording])
    // The DOM of these tests puts a space between elements in the text.
    const row = await findRow(/^د سبا غږ ?\.wav$/)
    expect(screen.getByRole('region', { name: 'Recent Activity' })).toContainElement(row)
    expect(screen.getByRole('button', { name: 'Upload' })).toBeVisible()
    expect(
      within(row)
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent),
    ).toEqual(['', '2 Nov 2026', '7:00', 'Pashto, English→ Urdu', '3 Threats1 Intent', 'Transcribed', ''])
    expect(screen.getByRole('region', { name: 'Recent Activity' })).toContainElement(row)
    expect(within(row).getByRole('rowheader')).toHaveTextContent('bordernorthurgent+1')
    expect(screen.getByText('1 recording · 2 h 0 min of audio · 2 languages')).toBeVisible()
  })

  it('says how much of a recording was read', async () => {
    const progress = { heard: 0.5, verified: 0.25, verified_twice: 0 }
    renderLibrary([makeListed(1, { state: 'done', progress }), makeListed(2, { state: 'done' })])
    const name = '50% of the lines heard by you, 25% verified'
    expect(within(await findRow('call-1.wav')).getByRole('img', { name })).toBeVisible()
    expect(within(await findRow('call-2.wav')).queryByRole('img', { name: /of the lines/ })).toBeNull()
  })

  it('with recordings has the three feature cards above them, and the heading Recent Activity', async () => {
    renderLibrary(three)
    await findRow('call-1.wav')
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Library',
      'Two speakers, kept apart',
      'Translated line by line',
      'Scanned for your keywords',
      'Recent Activity',
    ])
  })

  it('hides the feature cards when asked to, and remembers that', async () => {
    const card = () => screen.queryByRole('heading', { name: 'Translated line by line' })
    const { user, unmount } = renderLibrary(three)
    await findRow('call-1.wav')
    const toggle = () => screen.getByRole('button', { name: 'What Awaz does' })
    expect(toggle()).toHaveAttribute('aria-expanded', 'true')
    await user.click(toggle())
    expect(card()).toBeNull()
    unmount()
    const { user: later } = renderLibrary(three)
    await findRow('call-1.wav')
    expect(card()).toBeNull()
    expect(toggle()).toHaveAttribute('aria-expanded', 'false')
    await later.click(toggle())
    expect(card()).toBeVisible()
  })

  it('calls its list Recordings where that is not all of them, the newest first', async () => {
    const { user } = renderLibrary(three)
    await findRow('call-1.wav')
    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(screen.getByRole('heading', { level: 2, name: 'Recordings' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Recent Activity' })).toBeNull()
  })

  it('shows how far the job of a recording is', async () => {
    const progress = {
      current_segment: 3,
      total_segments: 12,
      detected_language: null,
      language_probability: null,
      latest_segment: null,
      partial_text: '',
      partial_segments: [],
    }
    const job = {
      id: 'f'.repeat(24),
      kind: 'transcribe' as const,
      state: 'running' as const,
      recording_id: makeListed(1).id,
      attempt: 1,
      queue_position: null,
      progress,
      error: null,
      target_language: null,
      created_at: '2026-11-02T10:00:00.000Z',
      started_at: null,
      finished_at: null,
    }
    const { client, requests } = renderLibrary([makeListed(1, { state: 'running', job })])
    const row = await findRow('call-1.wav')
    expect(row).toHaveTextContent('Transcribing 25%')
    client.setQueryData(['jobs'], { [job.id]: { ...job, progress: { ...progress, current_segment: 6 } } })
    await waitFor(() => expect(row).toHaveTextContent('Transcribing 50%'))
    client.setQueryData(['jobs'], { [job.id]: { ...job, state: 'failed' } })
    await waitFor(() => expect(row).toHaveTextContent('Failed'))
    // No event reports that the hits in its result have been counted, so the list is requested again.
    await waitFor(() => expect(requests.length).toBeGreaterThan(1), { timeout: 6000 })
  })

  it('offers to try again where the list cannot be loaded', async () => {
    let isBroken = true
    const { user } = renderLibrary(three, {
      'GET /api/library': () =>
        isBroken ? failure(500) : { body: { recordings: three, total: 3, page: 1, per_page: 50, pages: 1 } },
    })
    expect(await screen.findByText('Your recordings could not be loaded.')).toBeVisible()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await findRow('call-1.wav')).toBeVisible()
  })

  it('loads what is in view alone, and has a row for each recording of ten thousand', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => makeListed(index + 1))
    const { requests } = renderLibrary(many)
    await findRow('call-1.wav')
    expect(screen.getByRole('grid', { name: 'Recordings' })).toHaveAttribute('aria-rowcount', '10001')
    expect(screen.getAllByRole('row').length).toBeLessThan(60)
    expect(requests.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1'])
  })
})

describe('sorting', () => {
  it('goes by a column, then the other way round, and stands in the address', async () => {
    const { user, requests } = renderLibrary(three)
    await findRow('call-1.wav')
    expect(screen.getByRole('columnheader', { name: 'Added' })).toHaveAttribute('aria-sort', 'descending')
    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    expect(screen.getByTestId('address')).toHaveTextContent('/dashboard?sort=name&order=asc')
    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
    await waitFor(() => expect(requests.at(-1)?.search).toContain('sort=name&order=desc'))
  })
})

describe('filters', () => {
  it('are applied from the address and taken away one by one', async () => {
    const { user, requests } = renderLibrary(three, {}, '/dashboard?states=new,failed&tags=border')
    await findRow('call-1.wav')
    expect(requests[0]?.searchParams.get('states')).toBe('new,failed')
    const chips = within(screen.getByRole('group', { name: 'Active filters' }))
    await user.click(chips.getByRole('button', { name: 'Remove filter State: Failed' }))
    await waitFor(() => expect(requests.at(-1)?.searchParams.get('states')).toBe('new'))
    await user.click(chips.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/dashboard$/))
    expect(screen.queryByRole('group', { name: 'Active filters' })).toBeNull()
  })

  it('are chosen from menus that say how many recordings there are', async () => {
    const { user } = renderLibrary(three)
    await findRow('call-1.wav')
    await user.click(screen.getByRole('button', { name: 'Language' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: /Pashto\s*2/ }))
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('languages=ps'))
  })

  it('search by name once typing pauses', async () => {
    const { user, requests } = renderLibrary(three)
    await findRow('call-1.wav')
    await user.type(screen.getByRole('searchbox', { name: 'Search recordings' }), 'پل')
    await waitFor(() => expect(requests.at(-1)?.searchParams.get('search')).toBe('پل'))
    expect(screen.getByRole('searchbox')).toHaveFocus()
    expect(screen.getByRole('searchbox')).toHaveValue('پل')
  })

  it('that nothing matches say so and can be given up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { user } = renderLibrary(
      three,
      {
        'GET /api/library': async ({ url }) => {
          if (!url.includes('search=')) await promise
          return respondWithPage(url.includes('search=') ? [] : three, url)
        },
      },
      '/dashboard?search=nothing',
    )
    expect(await screen.findByRole('heading', { name: 'No recording matches' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show all recordings' }))
    // An account that has recordings is never greeted as a new one.
    expect(screen.getByRole('status', { name: 'Loading recordings' })).toBeVisible()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Library')
    resolve()
    expect(await findRow('call-1.wav')).toBeVisible()
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })

  it('are kept under a name and used again', async () => {
    const saved = {
      id: 'e'.repeat(24),
      name: 'Waiting',
      filter: { search: '', states: ['waiting'], languages: [], categories: [], tags: [] },
      sort: 'created',
      order: 'desc',
    }
    const { user, sent } = renderLibrary(
      three,
      {
        'GET /api/library/filters': () => ({ body: { filters: [saved] } }),
        'POST /api/library/filters': () => ({ status: 201, body: saved }),
      },
      '/dashboard?tags=border',
    )
    await findRow('call-1.wav')
    await user.click(screen.getByRole('button', { name: 'Saved filters' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Save this filter…' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'At the border')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent('POST /api/library/filters')).toMatchObject({ name: 'At the border', filter: { tags: ['border'] } }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Saved filters' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Waiting' }))
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/dashboard\?states=waiting$/))
  })
})
