import { notifications } from '@mantine/notifications'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'

/** Durations in milliseconds: accounts specification, section 9. */
const blankMs = 4000
const errorMs = 4000
const successMs = 2000

/** At most this many toasts are shown at once (accounts specification, section 9). */
export const toastLimit = 20

interface ToastOptions {
  /** How long it is shown, where the default of its kind does not fit. */
  durationMs?: number
}

const kinds = {
  info: { autoClose: blankMs, icon: <IconInfoCircle size={18} stroke={1.5} />, color: 'gray' },
  success: { autoClose: successMs, icon: <IconCheck size={18} stroke={1.75} />, color: 'accent' },
  error: { role: 'alert', autoClose: errorMs, icon: <IconAlertTriangle size={18} stroke={1.5} />, color: 'red' },
} as const

function show(kind: keyof typeof kinds, message: string, { durationMs }: ToastOptions): void {
  notifications.show({ message, ...kinds[kind], ...(durationMs !== undefined && { autoClose: durationMs }) })
}

/** Shows a neutral message. */
export function toastInfo(message: string, options: ToastOptions = {}): void {
  show('info', message, options)
}

/** Shows that something succeeded. */
export function toastSuccess(message: string, options: ToastOptions = {}): void {
  show('success', message, options)
}

/** Shows that something failed; screen readers announce it at once. */
export function toastError(message: string, options: ToastOptions = {}): void {
  show('error', message, options)
}

interface LoadingToast {
  succeed: (message: string) => void
  fail: (message: string) => void
  dismiss: () => void
}

/** Shows a toast during a long operation. It stays until `succeed` or `fail` replaces its text, or `dismiss` removes it. */
export function toastLoading(message: string): LoadingToast {
  const id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false })
  function end(kind: keyof typeof kinds) {
    return (ending: string) =>
      void notifications.update({ id, message: ending, loading: false, withCloseButton: true, ...kinds[kind] })
  }
  return { succeed: end('success'), fail: end('error'), dismiss: () => void notifications.hide(id) }
}
