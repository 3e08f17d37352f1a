import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { svelte } from "@sveltejs/vite-plugin-svelte"
import type { Plugin } from "vite"
import { defineConfig } from "vitest/config"
import { font } from "./font"

const built = "../src/puntobanco/web/static"

/** Compressed copies beside every file that is worth it: the house only picks one. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle() {
      for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
        const path = join(built, name)
        if (!/\.(html|js|css|svg|json|webmanifest)$/.test(name) || statSync(path).size < 512) continue
        const plain = readFileSync(path)
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(`${path}.br`, brotliCompressSync(plain, { params: quality }))
        writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  plugins: [svelte(), font(), compressed()],
  build: {
    outDir: built,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { include: ["src/**/*.test.ts"], environment: "node" },
})
