/** A product as others name it. */
export interface ProductName {
  productCode: string
  productVersion?: string | null
}

/** A name inside a key string: `%`, `/` and `@` percent-encoded. */
export const keyText = (name: string) =>
  /[%/@]/.test(name) ? name.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('@', '%40') : name

/** The name that stands in a key string. */
export const readKeyText = (text: string) => text.replaceAll('%40', '@').replaceAll('%2F', '/').replaceAll('%25', '%')

/** A product inside a key string: `ACME-CAD@2.0`. */
export const productText = (product: ProductName) =>
  product.productVersion
    ? `${keyText(product.productCode)}@${keyText(product.productVersion)}`
    : keyText(product.productCode)
