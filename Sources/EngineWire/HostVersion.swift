/// The version of synthhost: what `--version` says, what engines are told, and what a scan cache was made by.
package let hostVersion = "0.1.0"
