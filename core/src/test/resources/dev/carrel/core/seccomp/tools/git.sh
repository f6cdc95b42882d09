git init -q r; cd r
git config user.name Somebody; git config user.email somebody@example.org
echo one > a; git add a; git commit -qm one
git switch -qc side; echo two >> a; git commit -qam two; git switch -q -
git merge -q side; git gc -q; git stash list; git fsck --strict 2>/dev/null >/dev/null
cd ..; git clone -q r c
test "$(git -C c log --oneline | wc -l)" -eq 2
echo fine
