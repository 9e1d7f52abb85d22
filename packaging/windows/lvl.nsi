; The installer for Windows; `scripts/dist installer` makes it. Needs -DVERSION, -DFILES (the folder with what is installed) and -DOUT.
;
; For the user who runs it, without administrator rights; for all users if it runs as administrator with /ALLUSERS.
; Silent: /S. Another folder: /D=C:\folder (last, without quotes).
; Everything that it writes, below a folder, in the registry or in PATH, the uninstaller removes again.
Target amd64-unicode
!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinMessages.nsh
!include StrFunc.nsh
${StrStr}
${UnStrStr}
${UnStrRep}

Name "lvl ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
SetCompressor /SOLID lzma
ManifestDPIAware true
BrandingText " "

VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "lvl"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Installer of lvl: level files of old 2D games"
VIAddVersionKey LegalCopyright "MIT license"

!define MUI_ICON "${FILES}\lvl.ico"
!define MUI_UNICON "${FILES}\lvl.ico"
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "Open the page that shows levels"
!define MUI_FINISHPAGE_RUN_FUNCTION OpenPage
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\lvl"
!define USER_PATH "Environment"
!define ALL_PATH "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
Var all ; 1: for all users

Function OpenPage
    ExecShell open "$INSTDIR\lvl.html"
FunctionEnd

; For all users or one: the folder, the part of the registry (SHCTX), the start menu.
!macro Context un
    ${If} $all == 1
        SetShellVarContext all
    ${Else}
        SetShellVarContext current
    ${EndIf}
!macroend

Function .onInit
    SetRegView 64
    StrCpy $all 0
    ${GetParameters} $0
    ClearErrors
    ${GetOptions} $0 "/ALLUSERS" $1
    ${IfNot} ${Errors}
        UserInfo::GetAccountType
        Pop $1
        ${If} $1 != "Admin"
            MessageBox MB_ICONSTOP "/ALLUSERS: run the installer as administrator." /SD IDOK
            SetErrorLevel 3
            Quit
        ${EndIf}
        StrCpy $all 1
    ${EndIf}
    !insertmacro Context ""
    ${If} $INSTDIR == ""
        ${If} $all == 1
            StrCpy $INSTDIR "$PROGRAMFILES64\lvl"
        ${Else}
            StrCpy $INSTDIR "$LOCALAPPDATA\Programs\lvl"
        ${EndIf}
    ${EndIf}
FunctionEnd

; Programs that run read PATH again. Waits for none of them for long.
!macro TellPath
    System::Call 'user32::SendMessageTimeoutW(p ${HWND_BROADCAST}, i ${WM_SETTINGCHANGE}, p 0, w "Environment", i 2, i 1000, *p .r9)'
!macroend
!macro TellShell
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
; $0: PATH; $1: the length of PATH with our folder; $2: the bytes of PATH. NSIS cuts strings at NSIS_MAX_STRLEN: a PATH that is longer, or would
; get longer, stays as it is.
!macro ReadPath
    StrCpy $2 0
    ${If} $all == 1
        System::Call 'advapi32::RegGetValueW(p 0x80000002, w "${ALL_PATH}", w "Path", i 0x10000006, p 0, p 0, *i 0 r2)'
        ReadRegStr $0 HKLM "${ALL_PATH}" "Path"
    ${Else}
        System::Call 'advapi32::RegGetValueW(p 0x80000001, w "${USER_PATH}", w "Path", i 0x10000006, p 0, p 0, *i 0 r2)'
        ReadRegStr $0 HKCU "${USER_PATH}" "Path"
    ${EndIf}
    StrLen $1 "$0;$INSTDIR"
!macroend
!macro WritePath value
    ${If} $all == 1
        WriteRegExpandStr HKLM "${ALL_PATH}" "Path" "${value}"
    ${Else}
        WriteRegExpandStr HKCU "${USER_PATH}" "Path" "${value}"
    ${EndIf}
    !insertmacro TellPath
!macroend

; "Open with" for an ending. What opens it by default stays, if there is something.
!macro Register ending
    WriteRegStr SHCTX "Software\Classes\.${ending}\OpenWithProgids" "lvl.level" ""
    ReadRegStr $0 SHCTX "Software\Classes\.${ending}" ""
    ${If} $0 == ""
        WriteRegStr SHCTX "Software\Classes\.${ending}" "" "lvl.level"
    ${EndIf}
!macroend
!macro Unregister ending
    DeleteRegValue SHCTX "Software\Classes\.${ending}\OpenWithProgids" "lvl.level"
    DeleteRegKey /ifempty SHCTX "Software\Classes\.${ending}\OpenWithProgids"
    ReadRegStr $0 SHCTX "Software\Classes\.${ending}" ""
    ${If} $0 == "lvl.level"
        DeleteRegValue SHCTX "Software\Classes\.${ending}" ""
    ${EndIf}
    DeleteRegKey /ifempty SHCTX "Software\Classes\.${ending}"
!macroend
; Pictures of files with an ending.
!define CLASS "{6D0B4E6F-4B5C-4C86-9D6A-5A0B8B9F3E21}"
!define SHELL_EX "ShellEx\{E357FCCD-A995-4576-B01F-234630154E96}"
!macro RegisterPicture ending
    WriteRegStr SHCTX "Software\Classes\.${ending}\${SHELL_EX}" "" "${CLASS}"
!macroend
!macro UnregisterPicture ending
    ReadRegStr $0 SHCTX "Software\Classes\.${ending}\${SHELL_EX}" ""
    ${If} $0 == "${CLASS}"
        DeleteRegKey SHCTX "Software\Classes\.${ending}\${SHELL_EX}"
    ${EndIf}
    DeleteRegKey /ifempty SHCTX "Software\Classes\.${ending}\ShellEx"
!macroend
; The endings of levels; those of pictures and palettes belong to many programs. A pack has no picture.
!macro Endings macro
    !insertmacro Drawn ${macro}
    !insertmacro ${macro} levelpack
!macroend
!macro Drawn macro
    !insertmacro ${macro} graal
    !insertmacro ${macro} zelda
    !insertmacro ${macro} nw
    !insertmacro ${macro} gani
    !insertmacro ${macro} gmap
    !insertmacro ${macro} level
    !insertmacro ${macro} doodad
    !insertmacro ${macro} wwd
!macroend

Section "lvl" SectionProgram
    SectionIn RO
    SetOutPath "$INSTDIR"
    File /r "${FILES}\*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\lvl, levels in the browser.lnk" "$INSTDIR\lvl.html" "" "$INSTDIR\lvl.ico"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "lvl ${VERSION}"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" "$INSTDIR\lvl.ico"
    WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "The lvl authors"
    WriteRegStr SHCTX "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD SHCTX "${UNINSTALL}" "AllUsers" $all
    WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD SHCTX "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section "Call lvl from any folder (PATH)" SectionPath
    !insertmacro ReadPath
    ${If} $0 == ""
    ${AndIf} $2 > 2
    ${OrIf} $1 >= 1020
        DetailPrint "PATH is too long to be changed; add $INSTDIR yourself."
    ${Else}
        ${StrStr} $3 ";$0;" ";$INSTDIR;"
        ${If} $3 == ""
            ${If} $0 == ""
                !insertmacro WritePath "$INSTDIR"
            ${Else}
                !insertmacro WritePath "$0;$INSTDIR"
            ${EndIf}
        ${EndIf}
    ${EndIf}
SectionEnd

Section "Open levels with lvl (file types)" SectionTypes
    WriteRegStr SHCTX "Software\Classes\lvl.level" "" "Level"
    WriteRegStr SHCTX "Software\Classes\lvl.level\DefaultIcon" "" "$INSTDIR\lvl.ico"
    WriteRegStr SHCTX "Software\Classes\lvl.level\shell\open" "FriendlyAppName" "lvl"
    WriteRegStr SHCTX "Software\Classes\lvl.level\shell\open\command" "" '"$INSTDIR\lvl.exe" view -- "%1"'
    !insertmacro Endings Register
    !insertmacro TellShell
SectionEnd

Section "Pictures of levels in Explorer" SectionPictures
    WriteRegStr SHCTX "Software\Classes\CLSID\${CLASS}" "" "Thumbnails of levels (lvl)"
    WriteRegStr SHCTX "Software\Classes\CLSID\${CLASS}\InprocServer32" "" "$INSTDIR\lvl-thumbnail.dll"
    WriteRegStr SHCTX "Software\Classes\CLSID\${CLASS}\InprocServer32" "ThreadingModel" "Apartment"
    !insertmacro Drawn RegisterPicture
    !insertmacro TellShell
SectionEnd

; Only where Tiled has its folder of extensions already.
Section "Extension of the map editor Tiled" SectionTiled
    ${If} ${FileExists} "$LOCALAPPDATA\Tiled\*.*"
        nsExec::Exec '"$INSTDIR\lvl.exe" tiled --install'
        Pop $0
        WriteRegDWORD SHCTX "${UNINSTALL}" "Tiled" 1
    ${EndIf}
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
    !insertmacro MUI_DESCRIPTION_TEXT ${SectionProgram} "The command lvl.exe, the page lvl.html, the library."
    !insertmacro MUI_DESCRIPTION_TEXT ${SectionPath} "Adds the folder of lvl.exe to PATH."
    !insertmacro MUI_DESCRIPTION_TEXT ${SectionTypes} "Double-click a level to see it in the browser."
    !insertmacro MUI_DESCRIPTION_TEXT ${SectionPictures} "Explorer shows what levels look like."
    !insertmacro MUI_DESCRIPTION_TEXT ${SectionTiled} "If Tiled is installed: it opens and saves levels."
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Function un.onInit
    SetRegView 64
    StrCpy $all 0
    ReadRegDWORD $0 HKLM "${UNINSTALL}" "AllUsers"
    ReadRegStr $1 HKLM "${UNINSTALL}" "InstallLocation"
    ${If} $0 == 1
    ${AndIf} $1 == $INSTDIR
        StrCpy $all 1
    ${EndIf}
    !insertmacro Context "un"
FunctionEnd

Section Uninstall
    ReadRegDWORD $0 SHCTX "${UNINSTALL}" "Tiled"
    ${If} $0 == 1
        nsExec::Exec '"$INSTDIR\lvl.exe" tiled --uninstall'
        Pop $0
    ${EndIf}
    !insertmacro Drawn UnregisterPicture
    !insertmacro Endings Unregister
    DeleteRegKey SHCTX "Software\Classes\CLSID\${CLASS}"
    DeleteRegKey /ifempty SHCTX "Software\Classes\CLSID"
    DeleteRegKey SHCTX "Software\Classes\lvl.level"
    !insertmacro TellShell
    !insertmacro ReadPath
    ${If} $0 != ""
        ${UnStrStr} $3 ";$0;" ";$INSTDIR;"
        ${If} $3 != ""
            ${UnStrRep} $3 ";$0;" ";$INSTDIR;" ";"
            ; without the first and the last semicolon
            StrCpy $3 $3 "" 1
            StrLen $4 $3
            ${If} $4 > 0
                StrCpy $3 $3 -1
            ${EndIf}
            ${If} $3 == ""
            ${AndIf} $all != 1
                DeleteRegValue HKCU "${USER_PATH}" "Path"
                !insertmacro TellPath
            ${Else}
                !insertmacro WritePath "$3"
            ${EndIf}
        ${EndIf}
    ${EndIf}
    Delete "$SMPROGRAMS\lvl, levels in the browser.lnk"
    ; Only what was installed: a file that somebody put there stays.
    !include "${LIST}"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey SHCTX "${UNINSTALL}"
SectionEnd
