/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "subset-font" {
  export default function subset(font: Buffer, text: string, options: { targetFormat: "woff2" }): Promise<Buffer>
}
