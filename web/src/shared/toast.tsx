import { notifications } from '@mantine/notifications'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'

/** Durations in milliseconds: accounts specification, section 9. */
const blankMs = 4000
const errorMs = 4000
const successMs = 2000

/** At most this many toasts stand at once (accounts specification, section 9). */
export const toastLimit = 20

interface ToastOptions {
  /** Milliseconds it stands, where the kind's own time does not fit. */
  durationMs?: number
}

/** A sentence top right, without judgement. */
export function toastInfo(message: string, options: ToastOptions = {}): void {
  notifications.show({
    message,
    autoClose: options.durationMs ?? blankMs,
    icon: <IconInfoCircle size={18} stroke={1.5} />,
    color: 'gray',
  })
}

/** Something worked. */
export function toastSuccess(message: string, options: ToastOptions = {}): void {
  notifications.show({
    message,
    autoClose: options.durationMs ?? successMs,
    icon: <IconCheck size={18} stroke={1.75} />,
    color: 'accent',
  })
}

/** Work that takes a while; stands without limit until it is told how it ended. */
export function toastLoading(message: string): { succeed: (message: string) => void; fail: (message: string) => void } {
  const id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false })
  function end(show: (message: string) => void) {
    return (ending: string) => {
      notifications.hide(id)
      show(ending)
    }
  }
  return { succeed: end(toastSuccess), fail: end(toastError) }
}

/** Something failed; read out at once by screen readers. */
export function toastError(message: string, options: ToastOptions = {}): void {
  notifications.show({
    message,
    role: 'alert',
    autoClose: options.durationMs ?? errorMs,
    icon: <IconAlertTriangle size={18} stroke={1.5} />,
    color: 'red',
  })
}
