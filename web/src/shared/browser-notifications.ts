export type NotificationPermissionState = NotificationPermission | 'unavailable'

/** Returns whether this page may show notifications of the browser; they need https or this machine. */
export function readNotificationPermission(): NotificationPermissionState {
  return window.isSecureContext && 'Notification' in window ? Notification.permission : 'unavailable'
}

/** Asks the user, unless that was done before. */
export async function requestNotificationPermission(): Promise<NotificationPermissionState> {
  if (readNotificationPermission() !== 'default') return readNotificationPermission()
  return Notification.requestPermission()
}
