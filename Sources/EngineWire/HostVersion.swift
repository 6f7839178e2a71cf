/// The version of synthhost: what `--version` says, reported to engines and stored in the scan cache.
package let hostVersion = "0.1.0"
