import type { Page } from 'playwright-core'
import type { Body, Response } from '#contract/endpoint.ts'
import type { editing } from '#contract/endpoints/editing.ts'
import type { recordings } from '#contract/endpoints/recordings.ts'
import type { DialogGroup } from './scene-tools.ts'

type Details = Response<typeof recordings.get>

/** Refuses a change to a line, as if somebody else had changed it at the same time. */
async function refuseChange(page: Page) {
  let edits: Details['line_edits'] | null = null
  await page.route('**/api/recordings/*/lines', async (route) => {
    const { changes }: Body<typeof editing.changeLines> = route.request().postDataJSON()
    const theirs = changes.map(({ from, lines }) => ({
      revision: 1,
      from,
      lines: lines?.map((line) => ({ ...line, text: 'Harbour' })) ?? null,
    }))
    edits = { revision: 1, edits: theirs }
    await route.fulfill({ status: 409, json: { error: 'Changed meanwhile', code: 'conflict', request_id: 'x' } })
  })
  await page.route(/\/api\/recordings\/[0-9a-f]{24}(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body: Details = await response.json()
    await route.fulfill({ response, json: { ...body, ...(edits && { line_edits: edits }) } })
  })
}

/** The dialogs of line editing. */
export const editingDialogs: DialogGroup[] = [
  {
    path: '/transcribe',
    prepare: refuseChange,
    dialogs: {
      async 'changed here and elsewhere'(page) {
        const line = page.getByRole('list', { name: 'Transcript Timeline' }).locator('[data-line]').first()
        await line.dblclick()
        await page.keyboard.press('End')
        await page.keyboard.type(' Harbour')
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').getByRole('button', { name: 'Keep theirs', exact: true }).waitFor()
      },
    },
    // The tab keeps unsaved changes: the next scene would send them.
    async end(page) {
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Keep theirs', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    },
  },
]
