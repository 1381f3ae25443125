import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { toastLimit } from '../shared/toast.tsx'

/** Where toasts appear: top right (accounts specification, section 2). */
export function Toasts() {
  return <Notifications position="top-right" limit={toastLimit} />
}
