/** How long something has been waiting: `0:45`, `12:05`, `1:02:05`. */
export function lasted(since: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const two = (value: number): string => String(value).padStart(2, "0")
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
