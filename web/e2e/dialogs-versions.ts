import type { Page } from 'playwright-core'
import type { Response } from '#contract/endpoint.ts'
import type { editing } from '#contract/endpoints/editing.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DialogGroup } from './scene-tools.ts'

const sameSound = 'Both channels carry the same sound, so the recording was transcribed as one channel.'
const formerId = 'f'.repeat(24)

/** Gives the recording a previous version that differs in its first line, and a remark. */
async function giveFormerVersion(page: Page) {
  let currentId = ''
  await page.route(/\/api\/recordings\/[0-9a-f]{24}(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body: { transcription: TranscriptionResult } = await response.json()
    const warnings = [{ code: 'dual_mono', message: sameSound }]
    await route.fulfill({ response, json: { ...body, transcription: { ...body.transcription, warnings } } })
  })
  await page.route(/\/versions$/, async (route) => {
    const response = await route.fetch()
    const { versions }: Response<typeof editing.listVersions> = await response.json()
    currentId = versions[0]?.transcription_id ?? ''
    const former = versions.map((version) => ({ ...version, transcription_id: formerId, is_current: false }))
    await route.fulfill({ response, json: { versions: [...versions, ...former] } })
  })
  await page.route(`**/versions/${formerId}*`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(formerId, currentId) })
    const body: TranscriptionResult = await response.json()
    const segments = body.segments.map((line, index) => (index > 0 ? line : { ...line, text: 'Harbour' }))
    await route.fulfill({ response, json: { ...body, segments } })
  })
}

function pressOnVersions(name: string) {
  return async (page: Page) => {
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name, exact: true }).first().click()
  }
}

/** The dialogs of a recording that was transcribed twice. */
export const versionDialogs: DialogGroup[] = [
  {
    path: '/transcribe',
    prepare: giveFormerVersion,
    dialogs: {
      remarks: (page) => page.getByRole('button', { name: '1 remark' }).click(),
      async 'comparison of versions'(page) {
        await pressOnVersions('Compare version 1')(page)
        await page.getByRole('dialog').getByText('Harbour').first().waitFor()
      },
      'restore a version': pressOnVersions('Restore version 1'),
    },
  },
]
