
// Debian's package contains only what these products need.
let offered: Set = ["SynthHost", "SynthHostTesting", "EngineKit"]
package.products.removeAll { !offered.contains($0.name) }
var needed = offered
var found = 0
while found < needed.count {
    found = needed.count
    for target in package.targets where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
}
package.targets.removeAll { !needed.contains($0.name) }
for target in package.targets { target.exclude = [] }
