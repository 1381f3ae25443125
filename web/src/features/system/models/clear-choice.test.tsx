import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelUse } from '#contract/entities/model.ts'
import { fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makeModel } from '../../../testing/models.ts'
import { renderAt } from '../../../testing/render.tsx'
import { ModelCard } from './model-card.tsx'

const startKey = 'POST /api/admin/models/operations'

it('removes a choice that a person made, and no other', async () => {
  const uses: ModelUse[] = [
    { scope: 'language', code: 'fa', chosen_by: 'person' },
    { scope: 'language', code: 'ur', chosen_by: 'environment' },
    { scope: 'default', code: null, chosen_by: 'person' },
  ]
  const calls = fakeServer({ [startKey]: () => ({ status: 500, body: {} }) })
  const card = <ModelCard model={makeModel({ uses })} operation={undefined} actions={null} />
  const { user } = renderAt('/admin/system/models', card, { ...someUser, role: 'super_admin' })
  await user.click(screen.getByRole('button', { name: 'Stop using Whisper small for Persian' }))
  expect(screen.getAllByRole('button', { name: /^Stop using/ })).toHaveLength(1)
  await waitFor(() =>
    expect(calls.find(({ key }) => key === startKey)?.body).toEqual({
      kind: 'clear',
      model_id: 'whisper-small',
      language: 'fa',
    }),
  )
})
