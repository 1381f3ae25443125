import { MantineProvider, TagsInput, Textarea, TextInput } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { theme } from './theme.ts'

// Mantine puts `dir` on the wrapper of a field, where the browser does not derive it from what is typed.
it.each([
  ['TextInput', <TextInput key="text" label="Name" />],
  ['Textarea', <Textarea key="area" label="Name" />],
  ['TagsInput', <TagsInput key="tags" label="Name" />],
])('%s has the direction of what is typed', (_, field) => {
  render(
    <MantineProvider theme={theme} env="test">
      {field}
    </MantineProvider>,
  )
  expect(screen.getByLabelText('Name', { selector: 'input:not([type=hidden]), textarea' })).toHaveAttribute(
    'dir',
    'auto',
  )
})
