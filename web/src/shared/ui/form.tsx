import { Stack, type StackProps } from '@mantine/core'
import type { FormEvent } from 'react'

interface FormProps extends Omit<StackProps, 'onSubmit'> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

/** A form with its fields stacked. It reports errors itself instead of leaving that to the browser. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return <Stack {...rest} renderRoot={(root) => <form {...root} onSubmit={onSubmit} noValidate />} />
}
