/** Our Chinese font, for machines that have none. Chromium keeps short texts as they were drawn before their font arrived,
 * so it is waited for before they are drawn; not for long, since text without it is better than none. */

import type { Language } from "./words/words.svelte"

const PATIENCE_MS = 1_500

export async function fontFor(language: Language): Promise<void> {
  if (isChineseDrawn()) return
  const wanted = document.fonts.load("16px puntobanco", language === "en" ? "繁" : "繁的").catch(() => [])
  await Promise.race([wanted, new Promise((done) => setTimeout(done, PATIENCE_MS))])
}

/** Whether a font of this machine has Chinese: two characters look alike only where neither has a sign of its own. */
function isChineseDrawn(): boolean {
  const brush = document.createElement("canvas").getContext("2d")
  if (!brush) return true
  brush.font = '30px system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif'
  const drawn = (text: string): string => {
    brush.clearRect(0, 0, 40, 40)
    brush.fillText(text, 2, 32)
    return brush.getImageData(0, 0, 40, 40).data.join()
  }
  return drawn("繁") !== drawn("的")
}
