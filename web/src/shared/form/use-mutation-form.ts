import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { isSessionExpired } from '../api/api-error.ts'
import { sortByField, type FieldErrors, type FormErrors } from './form-errors.ts'

interface MutationFormOptions<Values, Result> {
  initialValues: Values
  /** Returns the error of each invalid field. Nothing is sent while there are any. */
  validate?: (values: Values) => FieldErrors
  send: (values: Values) => Promise<Result>
  onSuccess?: (result: Result, values: Values) => void | Promise<void>
  /** Returns the errors of a failed call by field. Default: by its error code and the fields it names. */
  sortErrors?: (error: Error) => FormErrors
  /** Called after a failed call, unless the session has expired, which the shell announces. */
  onError?: (error: Error) => void
  /** Called instead of sending invalid values. */
  onInvalid?: (errors: FieldErrors, values: Values) => void
}

/**
 * A form that validates its values and sends them with a mutation. Errors, including the server's, are shown at their field until it is
 * edited; the focus moves to the first of them.
 */
export function useMutationForm<Values extends object, Result>(options: MutationFormOptions<Values, Result>) {
  const { initialValues, validate, send, onSuccess, onError, onInvalid } = options
  const sortErrors = options.sortErrors ?? ((error) => sortByField(error, Object.keys(initialValues)))
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) })
  const mutation = useMutation<Result, Error, { values: Values; element: HTMLFormElement }>({
    mutationFn: ({ values }) => send(values),
    onSuccess: (result, { values }) => onSuccess?.(result, values),
    onError: (error, { element }) => {
      if (isSessionExpired(error)) return
      const { fields } = sortErrors(error)
      form.setErrors(fields)
      focusFirst(element, fields)
      onError?.(error)
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    const element = event.currentTarget
    form.onSubmit(
      (values) => mutation.mutate({ values, element }),
      () => {
        mutation.reset()
        const values = form.getValues()
        const errors = validate?.(values) ?? {}
        focusFirst(element, errors)
        onInvalid?.(errors, values)
      },
    )(event)
  }

  const { error } = mutation
  return {
    form,
    submit,
    isBusy: mutation.isPending,
    error,
    /** The error of the last failed call that concerns the form as a whole. */
    generalError: error && !isSessionExpired(error) ? sortErrors(error).general : undefined,
    /** The result of the last successful call. */
    result: mutation.data,
  }
}

/** Moves the focus to the first field in the document that has an error. */
function focusFirst(element: HTMLFormElement, errors: FieldErrors): void {
  const fields = [...element.querySelectorAll<HTMLElement>('[data-path]')]
  fields.find(({ dataset }) => errors[dataset.path ?? ''])?.focus()
}
